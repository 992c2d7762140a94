#!/usr/bin/env python3
"""Completion in the shells themselves: a line is typed into each on a terminal, TAB and Enter behind it, and what
the program then gets is compared. A shell that is not here is skipped.
"""

import os
import pathlib
import pty
import select
import shutil
import subprocess
import time

from laws.harness import ENVIRONMENT, ROOT, Tally, program, scratch

COMPLETION = ROOT / "src" / "cli" / "completion"

# What is typed before TAB, and the words the program gets.
CASES = [
    ("rehead split-c", ["split-cookies"]),
    ("rehead remove x-pow", ["remove", "x-powered-by"]),
    ("rehead remove server,x-pow", ["remove", "server,x-powered-by"]),
    ("rehead remove req:user-a", ["remove", "req:user-agent"]),
    ("rehead keep date,res:last-m", ["keep", "date,res:last-modified"]),
    ("rehead get :stat", ["get", ":status"]),
    ("rehead get server,:stat", ["get", "server,:status"]),
    ("rehead set Cache-C", ["set", "Cache-Control:"]),
    ("rehead rename Via=forw", ["rename", "Via=forwarded"]),
    ("rehead where 'not meth", ["where", "not method"]),
    ("rehead merge-cookies --keep-d", ["merge-cookies", "--keep-duplicates"]),
    ("rehead lower --if kin", ["lower", "--if", "kind"]),
    ("rehead dechunk --tr", ["dechunk", "--trailers"]),
    ("rehead dechunk --trailers me", ["dechunk", "--trailers", "merge"]),
    ("rehead log --format comb", ["log", "--format", "combined"]),
    ("rehead lower th", ["lower", "then"]),
    ("rehead lower then infl", ["lower", "then", "inflate"]),
    ("rehead set 'A: b c' the", ["set", "A: b c", "then"]),
    ("rehead --fram", ["--framing"]),
    ("rehead --framing wi", ["--framing", "wire"]),
    ("rehead --framing=wi", ["--framing=wire"]),
    ("rehead -t hea", ["-t", "headers"]),
    ("rehead -qt nd", ["-qt", "ndjson"]),
    ("rehead help exit-s", ["help", "exit-status"]),
    ("rehead lower one", ["lower", "one.http"]),
    ("rehead lower a\\ n", ["lower", "a name.http"]),
    ("rehead lower 'a n", ["lower", "a name.http"]),
    ("rehead lower folder/in", ["lower", "folder/inner.har"]),
    ("rehead body @one", ["body", "@one.http"]),
    ("rehead --output=one", ["--output=one.http"]),
    ("rehead -- one", ["--", "one.http"]),
    ("rehead one", ["one.http"]),
    ("FOO=1 rehead low", ["lower"]),
    ("true | rehead low", ["lower"]),
]

SHELLS = {
    "bash": (["bash", "--norc", "--noprofile"], f"PS1='READY''> '; source {COMPLETION}/rehead.bash"),
    "zsh": (["zsh", "-f"], f"PS1='READY''> '; fpath=({COMPLETION} $fpath); autoload -Uz compinit; compinit -u -d $HOME/dump"),
    "fish": (["fish", "--no-config"],
             f"function fish_prompt; echo -n 'READY''> '; end; source {COMPLETION}/rehead.fish"),
}
PROMPT = b"READY> "  # as shown; as typed above it is in two parts


class Shell:
    """An interactive shell on a terminal of its own, in a folder with `rehead` on PATH."""

    def __init__(self, name, folder):
        command, setup = SHELLS[name]
        self.calls = os.open(folder / "calls", os.O_RDWR | os.O_NONBLOCK)
        self.shown = b""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            environment = ENVIRONMENT | {"HOME": str(folder), "TERM": "dumb", "LC_ALL": "C.UTF-8",
                                         "PATH": f"{folder}/bin:{ENVIRONMENT['PATH']}"}
            for variable in ("HISTFILE", "ENV", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
                environment.pop(variable, None)
            os.execvpe(command[0], command, environment)
        self.words(f"{setup}; rehead ready")

    def words(self, typed):
        """What `rehead` gets once `typed` and Enter were typed; None if it was not called.

        Returns at the next prompt: before it, the terminal would take a TAB for itself.
        """
        os.write(self.terminal, typed.encode() + b"\r")
        end = time.monotonic() + 20
        line = b""
        while not (line.endswith(b"\n") and PROMPT in self.shown.rpartition(b"CALLED")[2]):
            ready, _, _ = select.select([self.calls, self.terminal], [], [], max(0, end - time.monotonic()))
            if not ready:
                os.write(self.terminal, b"\x03")
                return None
            if self.terminal in ready:
                try:
                    self.shown += os.read(self.terminal, 65536)
                except OSError:
                    return None
            if self.calls in ready:
                line += os.read(self.calls, 65536)
        return line.decode().rstrip("\n").split("\x01")[:-1]

    def close(self):
        os.close(self.terminal)
        os.close(self.calls)
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)


def prepare(folder):
    """Files to complete, and a `rehead` that answers completion and else tells what it was given."""
    for name in ("one.http", "a name.http", "folder/inner.har", "bin/rehead"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    os.mkfifo(folder / "calls")
    (folder / "bin" / "rehead").write_text(
        "#!/bin/sh\n"
        f'[ "$1" = __complete ] && exec {os.path.abspath(program())} "$@"\n'
        f"echo CALLED; {{ printf '%s\\001' \"$@\"; echo; }} >{folder}/calls\n")
    (folder / "bin" / "rehead").chmod(0o755)


def in_shell(tally, name):
    with scratch() as path:
        folder = pathlib.Path(path)
        prepare(folder)
        shell = Shell(name, folder)
        for typed, expected in CASES:
            got = shell.words(typed + "\t")
            tally.check(f"{name}: {typed}", got == expected,
                        f"expected {expected}, got {got}\nshown: {shell.shown[-400:]!r}")
        shell.close()


def syntax(tally, name):
    for file in {"bash": ["rehead.bash"], "zsh": ["_rehead"], "fish": ["rehead.fish"]}[name]:
        done = subprocess.run([name, "-n", COMPLETION / file], capture_output=True, text=True, check=False)
        tally.check(f"{name} reads {file}", done.returncode == 0 and not done.stderr, done.stderr)


def main():
    tally = Tally()
    for name in SHELLS:
        if not shutil.which(name):
            tally.skip(f"completion in {name}", f"no {name} here")
            continue
        syntax(tally, name)
        in_shell(tally, name)
    tally.close()


main()
