#!/usr/bin/env python3
"""At a terminal (a pty): colour, control bytes that do nothing, binary bodies, progress, short help."""

import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import termios
import threading
import time

from harness import ENVIRONMENT, Tally, clip, program, scratch

PATIENCE = 20


class Terminal:
    """A run whose chosen descriptors are a terminal; what was shown there, the rest, the status."""

    def __init__(self, arguments, on=(1,), data=None, environment=None, slow=None):
        control, end = pty.openpty()
        mode = termios.tcgetattr(end)
        mode[1] &= ~termios.OPOST  # line ends as they are written
        termios.tcsetattr(end, termios.TCSANOW, mode)
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        streams = [end if fd in on else None for fd in range(3)]
        child = subprocess.Popen(
            [program(), *arguments], close_fds=True, env=ENVIRONMENT | {"TERM": "xterm"} | (environment or {}),
            stdin=streams[0] or (subprocess.PIPE if data is not None else subprocess.DEVNULL),
            stdout=streams[1] or subprocess.DEVNULL, stderr=streams[2] or subprocess.PIPE)
        os.close(end)
        if data is not None:
            threading.Thread(target=self.feed, args=(child.stdin, slow or [data], 0.4 if slow else 0)).start()
        self.shown = self.read(control)
        self.err = child.stderr.read() if child.stderr else b""
        self.status = child.wait(PATIENCE)
        os.close(control)

    @staticmethod
    def feed(stdin, pieces, pause):
        with stdin:
            for piece in pieces:
                stdin.write(piece)
                stdin.flush()
                time.sleep(pause)

    @staticmethod
    def read(control):
        shown, end = b"", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if not select.select([control], [], [], PATIENCE)[0]:
                break
            try:
                piece = os.read(control, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
        return shown


def message(fields, body, start=b"HTTP/1.1 200 OK"):
    head = [start, *fields, b"Content-Length: %d" % len(body)]
    return b"\r\n".join(head) + b"\r\n\r\n" + body


ESCAPES = re.compile(rb"\x1b\[[0-9;]*m")
EVIL = message([b"A: \x1b]0;title\x07\x9b1m", b"Caf\xc3\xa9: \xc2\x9b1m"], b"text \x1b[31m\r\nend\t\xe2\x82\xac\n")
HARMLESS = (b"HTTP/1.1 200 OK\r\nA: \\x1B]0;title\\x07\\x9B1m\r\nContent-Length: 20\r\n\r\n"
            b"text \\x1B[31m\r\nend\t\xe2\x82\xac\n")


def control_bytes(tally):
    evil = EVIL.replace(b"Caf\xc3\xa9: \xc2\x9b1m\r\n", b"")
    shown = Terminal(["--color", "never"], data=evil).shown
    tally.check("control bytes are written out", shown == HARMLESS, clip(shown))
    shown = Terminal([], data=evil).shown
    tally.check("with colour too", ESCAPES.sub(b"", shown) == HARMLESS and shown != HARMLESS, clip(shown))
    for form in ("body", "ndjson", "headers", "http", "har"):
        shown = Terminal(["--color", "never", "-t", form], data=evil).shown
        bad = [byte for byte in shown if (byte < 32 and byte not in b"\t\r\n") or byte == 127]
        tally.check(f"no control byte as {form}", shown and not bad, clip(shown))
    shown = Terminal(["get", "a"], data=evil).shown
    tally.check("no control byte in an answer", shown == b"\\x1B]0;title\\x07\\x9B1m\n", clip(shown))
    shown = Terminal(["--plan", "set", "A: \x1b]0;title\x07"]).shown
    tally.check("no control byte in a plan", shown.startswith(b"set 'A: \\x1B]0;title\\x07'"), clip(shown))
    shown = Terminal(["--diff", "remove", "a"], data=evil).shown
    tally.check("no control byte in a diff", b"-A: \\x1B]0;title" in ESCAPES.sub(b"", shown), clip(shown))
    piped = subprocess.run([program()], input=evil, capture_output=True, env=ENVIRONMENT, check=False).stdout
    tally.check("a pipe gets the bytes as they are", piped == evil, clip(piped))


def binary(tally):
    body = b"GIF89a" + bytes(range(256)) * 10
    shown = Terminal([], data=message([b"Content-Type: image/gif"], body) + message([], b"text")).shown
    tally.check("a binary body is told by its size", ESCAPES.sub(b"", shown).endswith(
        b"\r\n\r\n[binary, 2566 bytes]\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntext"), clip(shown))
    shown = Terminal(["-t", "body"], data=message([], body)).shown
    tally.check("as a body too", shown == b"[binary, 2566 bytes]\n", clip(shown))
    shown = Terminal(["gzip"], data=message([b"Content-Type: text/plain"], b"x" * 500)).shown
    tally.check("a coded body is binary", re.search(rb"\[binary, \d+ bytes\]\n$", shown), clip(shown))
    long = b"x" * 200_000
    shown = Terminal(["-t", "body"], data=message([], long + b"\0")).shown
    tally.check("a NUL that comes late is written out", shown == long + b"\\x00", clip(shown[-20:]))
    with scratch() as folder:  # a file is read in larger pieces than a pipe
        for size in (1 << 16) - 1, 1 << 16:
            path = os.path.join(folder, "late.http")
            with open(path, "wb") as file:
                file.write(message([], b"x" * size + b"\0" + b"x" * 200_000))
            shown = Terminal(["-t", "body", path]).shown
            late = size == 1 << 16
            tally.check(f"a NUL behind {size} bytes is {'late' if late else 'seen'}",
                        shown.startswith(b"xxx" if late else b"[binary, "), clip(shown[:20]))
    cut = message([], body)[:-100]
    run = Terminal(["-t", "body"], data=cut)
    tally.check("a cut one too, exit 3", run.shown == b"[binary, 2466 bytes]\n" and run.status == 3, clip(run.shown))


def colour(tally):
    data = message([b"A: b"], b"") + message([], b"", b"HTTP/1.1 503 No")
    expected = (b"HTTP/1.1 \x1b[32m200 OK\x1b[0m\r\n\x1b[36mA\x1b[0m: b\r\n\x1b[36mContent-Length\x1b[0m: 0\r\n\r\n"
                b"HTTP/1.1 \x1b[31m503 No\x1b[0m\r\n\x1b[36mContent-Length\x1b[0m: 0\r\n\r\n")
    tally.check("heads in colour", Terminal([], data=data).shown == expected, clip(Terminal([], data=data).shown))
    request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    shown = Terminal(["-t", "headers"], data=request).shown
    tally.check("a request in colour", shown == b"\x1b[1mGET\x1b[0m / HTTP/1.1\r\n\x1b[36mHost\x1b[0m: a\r\n\r\n",
                clip(shown))
    for name, arguments, environment in (("NO_COLOR", [], {"NO_COLOR": "1"}), ("TERM=dumb", [], {"TERM": "dumb"}),
                                         ("never", ["--color", "never"], {})):
        shown = Terminal(arguments, data=data, environment=environment).shown
        tally.check(f"{name}: no colour", shown == data, clip(shown))
    shown = Terminal(["--color", "always"], data=data, environment={"NO_COLOR": "1"}).shown
    tally.check("always says more than NO_COLOR", shown == expected, clip(shown))
    piped = subprocess.run([program(), "--color", "always"], input=data, capture_output=True, env=ENVIRONMENT,
                           check=False).stdout
    tally.check("always: into a pipe too", piped == expected, clip(piped))
    shown = Terminal(["--diff", "remove", "a"], data=data).shown
    tally.check("a diff in colour", b"\x1b[31m-A: b\x1b[0m\n" in shown, clip(shown))
    with scratch() as folder:
        files = []
        for number in range(5):
            files.append(os.path.join(folder, f"{number}.http"))
            pathlib.Path(files[-1]).write_bytes(data)
        tally.check("-j shows the same", Terminal(["-j3", *files]).shown == expected * 5)


def progress(tally):
    one = message([], b"x" * 100_000)
    slow = [one] * 5
    shown = Terminal([], on=(2,), data=b"".join(slow), slow=slow).shown
    lines = re.findall(rb"\rrehead: (\d+)/1 files, \d+ MB, \d+ MB/s\x1b\[K", shown)
    tally.check("progress after a second", lines and shown.endswith(b"\r\x1b[K"), clip(shown))
    shown = Terminal(["-q"], on=(2,), data=b"".join(slow), slow=slow).shown
    tally.check("none with -q", shown == b"", clip(shown))
    tally.check("none for what is quick", Terminal([], on=(2,), data=one).shown == b"")
    tally.check("none where messages go to the terminal",
                b"MB/s" not in Terminal([], on=(1, 2), data=b"".join(slow[:4]), slow=slow[:4]).shown)
    with scratch() as folder:
        file = os.path.join(folder, "a.http")
        pathlib.Path(file).write_bytes(one * 30)
        shown = Terminal(["--progress", "always", "--check", file, "none", file], on=(2,)).shown
        tally.check("files, bytes, speed, time left",
                    re.search(rb"\rrehead: \d/3 files, \d of 6 MB, \d+ MB/s, \d+ s left\x1b\[K", shown), clip(shown))
        tally.check("a diagnostic stands on a line of its own",
                    b"\r\x1b[Krehead: none: error: cannot open" in shown, clip(shown))
        done = subprocess.run([program(), "--progress", "never", "--check", file], capture_output=True,
                              env=ENVIRONMENT, check=False)
        tally.check("never: none", done.stderr == b"")


def help_is_short(tally):
    run = Terminal([], on=(0,))
    tally.check("a terminal as input: short help on stderr, exit 2",
                run.status == 2 and run.err.startswith(b"usage: rehead") and len(run.err.splitlines()) < 10,
                clip(run.err))
    run = Terminal(["-I", "remove", "a"], on=(0,))
    tally.check("-I without a file is told so", run.status == 2 and b"-I needs a FILE" in run.err, clip(run.err))


def main():
    tally = Tally()
    control_bytes(tally)
    binary(tally)
    colour(tally)
    progress(tally)
    help_is_short(tally)
    tally.close()


main()
