#!/usr/bin/env python3
"""Large bodies may go from one descriptor to the other without passing through memory: nobody can tell.

Whatever the two ends are (files, pipes, a file of the input's own), whatever the sizes around each limit, and however
the input comes: the same bytes, the same diagnostics, the same status.
"""

import os
import pathlib
import random
import signal
import subprocess
import threading

from harness import ENVIRONMENT, Tally, clip, program, scratch

KI = 1024
SIZES = [0, 1, 100, 16 * KI - 1, 16 * KI, 16 * KI + 1, 64 * KI - 1, 64 * KI, 64 * KI + 1, 80 * KI, 100_000, 256 * KI,
         256 * KI + 1, 1024 * KI - 1, 1024 * KI + 100, 3_000_000]


def body(size, random_bytes):
    return random_bytes.randbytes(size // 2) + b"line\n" * ((size - size // 2) // 5) + b"\n" * ((size - size // 2) % 5)


def messages(sizes, rng, extra=""):
    return b"".join(b"HTTP/1.1 200 OK\r\nServer: s%d\r\n%sContent-Length: %d\r\n\r\n" % (number, extra.encode(), size)
                    + body(size, rng) for number, size in enumerate(sizes))


def inputs():
    rng = random.Random(5)
    mixed = [rng.choice(SIZES[:-1]) for _ in range(40)]
    large = [rng.choice(SIZES[6:]) for _ in range(25)]
    yield "mixed", messages(mixed, rng)
    yield "large", messages(large, rng)
    yield "large, cut", messages(large, rng)[:-70_000]
    yield "large, line ends between", b"\r\n".join(messages([size], rng) for size in large)
    yield "large, then no head", messages(large, rng) + b"junk"
    yield "large, then a broken head", messages(large, rng) + b"HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: x\r\n\r\n"
    yield "requests", b"".join(b"POST /%d HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % (size, size) + body(size, rng)
                               for size in large)
    yield "chunked behind large", messages([100_000], rng) + (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"%x\r\n" % 100_000 + body(100_000, rng) + b"\r\n0\r\n\r\n")
    yield "coded", messages([200_000] * 3, rng, "Content-Encoding: br\r\n")  # judged: it is not


def feed(stream, data, step):
    try:
        for at in range(0, len(data), step):
            os.write(stream, data[at:at + step])
    except BrokenPipeError:
        pass
    finally:
        os.close(stream)


def run(arguments, data, folder, source, target, step=1 << 20):
    """(status, output, diagnostics) with stdin and stdout of that kind."""
    name = folder / "in"
    made = folder / "out"
    made.write_bytes(b"")
    feeder = None
    if source == "pipe":
        stdin, write_end = os.pipe()
        feeder = threading.Thread(target=feed, args=(write_end, data, step))
    else:
        name.write_bytes(data)
        stdin = os.open(name, os.O_RDONLY)
    stdout = subprocess.PIPE if target == "pipe" else os.open(made, os.O_WRONLY)
    child = subprocess.Popen([program(), *arguments], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, env=ENVIRONMENT)
    os.close(stdin)
    if feeder:
        feeder.start()
    out, err = child.communicate(timeout=60)
    if feeder:
        feeder.join()
    if target != "pipe":
        os.close(stdout)
        out = made.read_bytes()
    return child.returncode, out, err


def same_everywhere(tally, folder):
    for name, data in inputs():
        for arguments in ([], ["set", "X-A: 1"], ["set", "Server: x", "then", "remove", "content-type"], ["first", "3"],
                          ["where", "size<70000"], ["-t", "headers"], ["--stats"], ["-v"]):
            wanted = run(arguments, data, folder, "file", "file")
            label = f"{' '.join(arguments)}: {name}"
            stats = "--stats" in arguments  # its times differ
            for source, target, step in (("pipe", "pipe", 1 << 20), ("pipe", "pipe", 70_001), ("pipe", "file", 1 << 20),
                                         ("file", "pipe", 0)):
                seen = run(arguments, data, folder, source, target, step)
                same = seen[:2] == wanted[:2] and (stats or seen[2] == wanted[2])
                tally.check(f"{source} to {target}, {label}", same,
                            f"{wanted[0]} {len(wanted[1])} {clip(wanted[2])}\n{seen[0]} {len(seen[1])} {clip(seen[2])}")
            again = run([], wanted[1], folder, "pipe", "pipe")
            if wanted[0] == 0 and "headers" not in arguments:
                tally.check(f"the empty chain over what came out, {label}", again[1] == wanted[1], clip(again[2]))


def reader_gone(tally):
    data = messages([200_000] * 20, random.Random(6))
    read_end, write_end = os.pipe()
    child = subprocess.Popen([program(), "set", "A: 1"], stdin=subprocess.PIPE, stdout=write_end, stderr=subprocess.PIPE,
                             env=ENVIRONMENT)
    os.close(write_end)
    os.close(read_end)
    _, err = child.communicate(data, timeout=60)
    tally.check("a reader that is gone ends it silently", (child.returncode, err) == (-signal.SIGPIPE, b""),
                f"{child.returncode} {clip(err)}")


def main():
    tally = Tally()
    with scratch() as folder:
        same_everywhere(tally, pathlib.Path(folder))
    reader_gone(tally)
    tally.close()


main()
