#!/usr/bin/env python3
"""Files rewritten in place are old or new, whatever happens: signals at any moment, no room, no right to write.

REHEAD_KILLS: how many runs are ended by a signal (default 60). A tenth each by SIGINT and SIGTERM, which must leave
nothing behind; the others by SIGKILL, which may leave a hidden file where it strikes between link and rename, and
where a file system has no unnamed files: there a fifth as many runs show that nothing else is different.
"""

import os
import pathlib
import random
import resource
import shutil
import signal
import stat
import struct
import subprocess
import time

from harness import ENVIRONMENT, Run, Tally, program, scratch

KILLS = int(os.environ.get("REHEAD_KILLS", "60"))
SIZE = 4 << 20
NOBODY = 65534


def messages(value, size=SIZE):
    body = b"x" * 1000
    one = b"HTTP/1.1 200 OK\r\nServer: here\r\nX: %s\r\nContent-Length: %d\r\n\r\n%s" % (value, len(body), body)
    return one * (size // len(one) + 1)


def strays(folder):
    return [path for path in pathlib.Path(folder).iterdir() if path.name.startswith(".")]


# Makes a file system without unnamed files of any.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#define OPEN(name)                                                                          \
  int name(const char* path, int flags, ...) {                                              \
    va_list rest;                                                                           \
    va_start(rest, flags);                                                                  \
    const mode_t mode = va_arg(rest, mode_t);                                               \
    va_end(rest);                                                                           \
    if ((flags & O_TMPFILE) == O_TMPFILE) return errno = EOPNOTSUPP, -1;                    \
    return ((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode);    \
  }
OPEN(open)
OPEN(open64)
"""


def start(arguments, environment=None, **options):
    return subprocess.Popen([program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, env=ENVIRONMENT | (environment or {}), **options)


class Other:
    """The program as another user runs it: a copy, as the build may be in a folder only its owner can enter."""

    def __init__(self, folder):
        os.chmod(folder, 0o755)
        self.copy = shutil.copy(program(), folder)
        os.chmod(self.copy, 0o755)
        self.who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}

    def run(self, *arguments):
        """The exit status, or None where this user may not run it."""
        try:
            return subprocess.run([self.copy, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env=ENVIRONMENT, check=False, **self.who).returncode
        except (OSError, subprocess.SubprocessError):
            return None


def duration(file, value, environment):
    begin = time.monotonic()
    start(["-I", "set", f"X: {value}", file], environment).wait()
    return time.monotonic() - begin


def kills(tally, runs, kind, environment=None):
    contents = {value: messages(value) for value in (b"old", b"new")}
    with scratch() as folder:
        file = pathlib.Path(folder) / "a.http"
        file.write_bytes(contents[b"old"])
        tally.check("a run to its end gives the other content",
                    Run(["-I", "set", "X: new", str(file)]).status == 0 and file.read_bytes() == contents[b"new"])
        usual = sorted(duration(file, value, environment) for value in ("old", "new", "old"))[1]
        chance = random.Random(1)
        counts = {"kills": 0, "broken": 0, "old": 0, "new": 0, "strays": 0, "strays after INT, TERM": 0}
        for number in range(runs):
            before = b"new" if file.read_bytes() == contents[b"new"] else b"old"
            after = b"old" if before == b"new" else b"new"
            which = {0: signal.SIGINT, 1: signal.SIGTERM}.get(number % 10, signal.SIGKILL)
            child = start(["-I", "set", f"X: {after.decode()}", str(file)], environment)
            time.sleep(chance.uniform(0, 1.3 * usual))
            child.send_signal(which)
            child.wait()
            content = file.read_bytes()
            counts["kills"] += child.returncode == -which
            if content not in contents.values():
                counts["broken"] += 1
                file.write_bytes(contents[b"old"])
            else:
                counts["old" if content == contents[before] else "new"] += 1
            for stray in strays(folder):
                counts["strays" if which == signal.SIGKILL else "strays after INT, TERM"] += 1
                stray.unlink()
        told = ", ".join(f"{count} {name}" for name, count in counts.items())
        print(f"{kind}, {runs} runs of {usual * 1000:.0f} ms: {told}")
        tally.check(f"{kind}: no signal leaves anything but old or new", counts["broken"] == 0, told)
        tally.check(f"{kind}: SIGINT and SIGTERM leave nothing behind", counts["strays after INT, TERM"] == 0, told)
        tally.check(f"{kind}: signals struck while it worked", counts["kills"] * 4 > runs, told)


def kills_at_once(tally, kind, environment=None):
    """Three threads, a backup of each of many small files: moments of two names follow close on each other."""
    files = 60
    contents = {value: messages(value, 3000) for value in (b"old", b"new")}
    with scratch() as folder:
        names = [pathlib.Path(folder) / f"{number}.http" for number in range(files)]
        arguments = ["-j3", "-I", "--backup", ".bak", "set", "X: new", *map(str, names)]
        chance = random.Random(2)
        counts = {"kills": 0, "broken": 0, "strays": 0, "told": 0}
        usual = 0.0
        for number in range(max(12, KILLS // 2)):
            for name in names:
                name.write_bytes(contents[b"old"])
                pathlib.Path(f"{name}.bak").unlink(missing_ok=True)
            begin = time.monotonic()
            child = subprocess.Popen([program(), *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                     stdin=subprocess.DEVNULL, env=ENVIRONMENT | (environment or {}))
            which = signal.SIGINT if number % 2 else signal.SIGTERM
            if number != 0:
                time.sleep(chance.uniform(0.1, 0.9) * usual)
                child.send_signal(which)
            counts["told"] += child.communicate()[1] != b""
            usual = usual or time.monotonic() - begin
            counts["kills"] += child.returncode == -which
            for name in names:
                new, backup = name.read_bytes() == contents[b"new"], pathlib.Path(f"{name}.bak")
                whole = new or name.read_bytes() == contents[b"old"]
                kept = backup.read_bytes() == contents[b"old"] if backup.exists() else not new
                counts["broken"] += not (whole and kept)
            for stray in strays(folder):
                counts["strays"] += 1
                stray.unlink()
        told = ", ".join(f"{count} {name}" for name, count in counts.items())
        print(f"-j3 --backup, {kind}, runs of {usual * 1000:.0f} ms: {told}")
        tally.check(f"-j3 --backup, {kind}: a signal leaves no stray, nothing broken, no message",
                    counts["broken"] == counts["strays"] == counts["told"] == 0 < counts["kills"], told)


def sticky(tally, other):
    """In a sticky folder nobody may replace the file of another: refused, and no name of it stays."""
    if os.getuid() != 0:
        tally.skip("a sticky folder", "only root can make a file of somebody else")
        return
    old = messages(b"old", 3000)
    for arguments in (["-I"], ["-I", "--backup", ".bak"]):
        with scratch() as folder:
            os.chmod(folder, 0o1777)
            file = pathlib.Path(folder) / "a.http"
            file.write_bytes(old)
            os.chmod(file, 0o666)
            status = other.run(*arguments, "set", "X: new", str(file))
            tally.check(f"a sticky folder, {' '.join(arguments)}: status 5, nothing new",
                        status == 5 and file.read_bytes() == old and os.listdir(folder) == ["a.http"],
                        (status, os.listdir(folder)))


def kills_without_unnamed_files(tally):
    with open(program(), "rb") as file:
        dynamic = b"ld-linux" in file.read(4096)
    if not dynamic or not shutil.which("cc"):
        tally.skip("a file system without unnamed files", "no cc here, or a static program")
        return
    with scratch() as folder:
        source, shim = f"{folder}/shim.c", f"{folder}/shim.so"
        pathlib.Path(source).write_text(SHIM)
        if subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=False).returncode != 0:
            tally.skip("a file system without unnamed files", "cc cannot make the library that plays one")
            return
        kills(tally, max(10, KILLS // 5), "named files", {"LD_PRELOAD": shim})
        kills_at_once(tally, "named files", {"LD_PRELOAD": shim})


def limited(bytes_per_file):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_per_file, bytes_per_file))


def failures(tally):
    """Each ends with status 5, the original whole, nothing left behind."""
    old = messages(b"old", 200_000)
    with scratch() as folder:
        os.chmod(folder, 0o755)
        file = pathlib.Path(folder) / "a.http"
        for arguments in (["-I"], ["-I", "--backup", ".bak"], ["--output-dir", f"{folder}"],
                          ["-o", f"{folder}/a.http"]):
            file.write_bytes(old)
            place = str(file)
            if "--output-dir" in arguments:
                source = pathlib.Path(folder) / "from"
                source.mkdir()
                (source / "a.http").write_bytes(old)
                place = str(source / "a.http")
            status = start([*arguments, "set", "X: new", place], preexec_fn=limited(65536)).wait()
            tally.check(f"no room, {arguments[0]}: status 5, the file whole",
                        status == 5 and file.read_bytes() == old and not strays(folder), status)
        looks(tally, file, old)
        file.write_bytes(old)
        with open("/dev/full", "wb") as full:
            status = subprocess.run([program(), "-n", "set", "X: new", str(file)], stdout=full,
                                    stderr=subprocess.DEVNULL, env=ENVIRONMENT, check=False).returncode
        tally.check("a listing that cannot be written: status 5", status == 5, status)


def rights(tally, other):
    """As somebody else, if we are root; no right is a right to root."""
    old = messages(b"old", 3000)
    for name, folder_mode, file_mode in (("folder", 0o555, 0o644), ("file", 0o777, 0o444)):
        with scratch() as folder:
            file = pathlib.Path(folder) / "a.http"
            file.write_bytes(old)
            if os.getuid() == 0:
                os.chown(file, NOBODY, NOBODY)
            os.chmod(file, file_mode)
            os.chmod(folder, folder_mode)
            changed = other.run("-I", "set", "X: new", str(file))
            same = other.run("-I", "set", "X: old", str(file))
            os.chmod(folder, 0o755)
            tally.check(f"a read-only {name}: status 5, the file whole",
                        changed == 5 and file.read_bytes() == old and not strays(folder), changed)
            tally.check(f"a read-only {name} where nothing changes: status 0", same == 0, same)


def as_another_user(tally):
    with scratch() as folder:
        other = Other(folder)
        if other.run("--version") != 0:
            tally.skip("folders and files without rights", "no other user can run a program here")
            return
        sticky(tally, other)
        rights(tally, other)
        lost_group(tally, other)


def looks(tally, file, old):
    file.write_bytes(old)
    os.chmod(file, 0o4751)
    if os.getuid() == 0:
        os.chown(file, NOBODY, NOBODY)
        os.chmod(file, 0o4751)
    before = file.stat()
    status = start(["-I", "set", "X: new", str(file)]).wait()
    after = file.stat()
    tally.check("mode and owner are kept",
                status == 0 and file.read_bytes() != old and
                (stat.S_IMODE(after.st_mode), after.st_uid, after.st_gid) ==
                (stat.S_IMODE(before.st_mode), before.st_uid, before.st_gid), after)
    tally.check("it is another file than before", before.st_ino != after.st_ino)


def two_writers(tally, rounds=40):
    """Two runs on one file: whoever ends with 0 finds its field there, the other says why not."""
    data = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
    for lines in (["A: 1", "B: 2"], ["A: 1", "B: 2", "C: 3"]):
        lost = broken = 0
        with scratch() as folder:
            file = pathlib.Path(folder) / "f.http"
            for _ in range(rounds):
                file.write_bytes(data)
                runs = [(line, start(["-I", "add", line, str(file)])) for line in lines]
                ends = [(line, run.wait()) for line, run in runs]
                now = file.read_bytes()
                lost += sum(status == 0 and line.encode() not in now for line, status in ends)
                broken += any(status not in (0, 5) for _, status in ends) or not now.endswith(b"\r\n\r\nhi")
            tally.check(f"{len(lines)} writers of one file: no update is lost, nothing is left behind",
                        lost == broken == 0 and os.listdir(folder) == ["f.http"],
                        (lost, broken, os.listdir(folder)))


def acl(*entries):
    """An ACL as Linux stores it, of (tag, rights, id)."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def attributes(tally):
    """ACL and user attributes go along, and a default ACL of the folder does not."""
    whole = 0xFFFFFFFF
    rights = acl((1, 6, whole), (2, 4, 1234), (4, 0, whole), (16, 4, whole), (32, 0, whole))
    default = acl((1, 7, whole), (2, 7, 4321), (4, 7, whole), (16, 7, whole), (32, 7, whole))
    for name, value in (("user.note", b"keep"), ("system.posix_acl_access", rights)):
        for how in (["-I"], ["-o"]):
            with scratch() as folder:
                file = pathlib.Path(folder) / "a.http"
                file.write_bytes(messages(b"old", 3000))
                os.chmod(file, 0o600)
                try:
                    os.setxattr(file, name, value)
                    os.setxattr(folder, "system.posix_acl_default", default)
                except OSError:
                    tally.skip(f"{how[0]} keeps {name}", "this file system has none")
                    continue
                before = file.stat()
                words = how if how == ["-I"] else ["-o", str(file)]
                status = start([*words, "set", "X: new", str(file)]).wait()
                after = file.stat()
                kept = name in os.listxattr(file) and os.getxattr(file, name) == value
                tally.check(f"{how[0]} keeps {name} and the mode", status == 0 and kept and
                            stat.S_IMODE(before.st_mode) == stat.S_IMODE(after.st_mode), (status, oct(after.st_mode)))
                if name == "user.note":
                    tally.check(f"{how[0]} takes no ACL from the folder",
                                "system.posix_acl_access" not in os.listxattr(file), os.listxattr(file))


def lost_group(tally, other):
    """A group that cannot be kept takes its rights along."""
    if os.getuid() != 0:
        tally.skip("a group that cannot be kept", "only root can make such a file")
        return
    for mode, most in ((0o640, 0o600), (0o664, 0o644), (0o660, 0o600), (0o604, 0o600)):
        with scratch() as folder:
            os.chmod(folder, 0o777)
            file = pathlib.Path(folder) / "a.http"
            file.write_bytes(messages(b"old", 3000))
            os.chown(file, NOBODY, 60)
            os.chmod(file, mode)
            status = other.run("-I", "set", "X: new", str(file))
            after = file.stat()
            tally.check(f"mode {mode:o}, its group cannot be kept: no wider than {most:o}",
                        status == 0 and after.st_gid == NOBODY and stat.S_IMODE(after.st_mode) & ~most == 0,
                        (status, after.st_gid, oct(after.st_mode)))


def missing_files(tally):
    """Missing files are reported before any work: no other file is touched."""
    old = messages(b"old", 3000)
    with scratch() as folder:
        file, gone = pathlib.Path(folder) / "a.http", f"{folder}/missing.http"
        for words in (["-I"], ["-j2", "-I"], ["--output-dir", f"{folder}/out"]):
            for files in ([str(file), gone], [gone, str(file)]):
                file.write_bytes(old)
                done = Run([*words, "set", "X: new", *files])
                tally.check(f"a missing file, {' '.join(words[:2])}: status 5, nothing is touched",
                            done.status == 5 and file.read_bytes() == old and b"missing.http" in done.err and
                            sorted(os.listdir(folder)) == ["a.http"], (done.status, done.err, os.listdir(folder)))


def main():
    tally = Tally()
    kills(tally, KILLS, "unnamed files")
    kills_at_once(tally, "unnamed files")
    kills_without_unnamed_files(tally)
    as_another_user(tally)
    two_writers(tally)
    attributes(tally)
    missing_files(tally)
    failures(tally)
    tally.close()


main()
