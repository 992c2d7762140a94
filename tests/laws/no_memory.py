#!/usr/bin/env python3
"""The law of memory: under any limit of address space a run does its work or ends with exit status 5 and a
word about memory: never by a signal, never with another status, and -I leaves the old file or the new one."""

import gzip
import pathlib
import random
import resource
import subprocess

from harness import ENVIRONMENT, Tally, clip, program, scratch

STEP = 512  # KiB


def limited(size, arguments, folder):
    """One run in `size` KiB of address space."""
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (size << 10, size << 10))
    return subprocess.run([program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, cwd=folder,
                          env=ENVIRONMENT, preexec_fn=bound, check=False, timeout=60)


def least(folder):
    """The least size in which the program starts."""
    size = 2048
    while limited(size, ["--version"], folder).returncode != 0:
        size += STEP
    return size


def walk(tally, first, arguments, fine, folder, after=lambda: True):
    for size in range(first, first + 40 * STEP, STEP):
        run = limited(size, arguments, folder)
        told = run.returncode == 5 and b"memory" in run.stderr
        tally.check(f"{' '.join(arguments)} in {size} KiB", (run.returncode == fine or told) and after(),
                    f"exit {run.returncode} {clip(run.stderr)}")


def main():
    tally = Tally()
    with scratch() as name:
        folder = pathlib.Path(name)
        body = random.Random(1).randbytes(300) * 1500
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
        plain = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
        coded = gzip.compress(body, mtime=0)
        (folder / "plain.http").write_bytes(plain)
        (folder / "coded.http").write_bytes(head + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(coded)
                                            + coded)
        edited = folder / "edited.http"

        def whole():
            now = edited.read_bytes()
            edited.write_bytes(plain)
            return now == plain or b"Content-Encoding: gzip" in now[:200]

        whole_first = edited.write_bytes(plain) == len(plain)
        tally.check("the file to edit is there", whole_first)
        first = least(folder) + STEP
        walk(tally, first, ["gzip", "plain.http"], 0, folder)
        walk(tally, first, ["--diff", "gzip", "plain.http"], 1, folder)
        walk(tally, first, ["-o", "{message}.out", "gzip", "plain.http"], 0, folder)
        walk(tally, first, ["-j", "2", "-I", "sort", "plain.http", "coded.http"], 0, folder)
        walk(tally, first, ["-I", "gzip", "edited.http"], 0, folder, whole)
        for coding in ("br", "zstd", "deflate"):
            walk(tally, first, ["inflate", "then", coding, "coded.http"], 0, folder)
        walk(tally, first, ["get", ":body", "coded.http"], 0, folder)
    tally.close()


main()
