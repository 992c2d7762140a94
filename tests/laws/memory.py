#!/usr/bin/env python3
"""Memory does not grow with the input: bodies and HAR files of up to 2 GiB, made on the fly, under 16 MiB.

REHEAD_LAW_BYTES sets another size. The peak is VmHWM of the process, read while its input is open:
wait4's figure would count the pages of the parent that started it.
"""

import fcntl
import os
import re
import resource
import struct
import subprocess
import termios
import time

from harness import ENVIRONMENT, Tally, program, scratch

SIZE = int(os.environ.get("REHEAD_LAW_BYTES", 2 << 30))
LIMIT_KB = 16 << 10
HEAD = (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n")
BLOCK = b"".join(b"%07d the quick brown fox jumps over the lazy dog\n" % n for n in range(1200))[:1 << 16]


def chunked():
    chunk = b"%x\r\n" % len(BLOCK) + BLOCK + b"\r\n"
    yield HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    for _ in range(SIZE // len(BLOCK)):
        yield chunk
    yield b"0\r\n\r\n"


def counted():
    whole = SIZE // len(BLOCK)
    yield HEAD + b"Content-Length: %d\r\n\r\n" % (whole * len(BLOCK))
    for _ in range(whole):
        yield BLOCK


def messages():
    """Small messages, as many as fill an eighth of the size."""
    one = HEAD + b"Content-Length: 1024\r\n\r\n" + BLOCK[:1024]
    for _ in range(SIZE // 8 // (64 * len(one))):
        yield 64 * one


def har(entry):
    """A HAR that repeats one entry to half the size."""
    block = (entry + b",\n") * max(1, (1 << 16) // len(entry))
    yield b'{"log":{"version":"1.2","creator":{"name":"law","version":"0"},"pages":[],"entries":[\n'
    for _ in range(SIZE // 2 // len(block)):
        yield block
    yield entry + b"\n]}}\n"


def har_entry(fields, text):
    headers = ",".join('{"name":"X-Field-%d","value":"value %d of some length, as they have"}' % (n, n)
                       for n in range(fields))
    return ('{"startedDateTime":"2024-01-01T00:00:00.000Z","time":1,"request":{"method":"GET",'
            '"url":"https://a.example/p?q=1","httpVersion":"HTTP/1.1","cookies":[],"headers":[%s],'
            '"queryString":[{"name":"q","value":"1"}],"headersSize":-1,"bodySize":0},"response":{"status":200,'
            '"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[%s],"content":{"size":%d,'
            '"mimeType":"text/plain","text":"%s"},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},'
            '"timings":{"send":0,"wait":1,"receive":0}}' % (headers, headers, len(text), text)).encode()


def har_heads():
    return har(har_entry(30, "short"))


def har_bodies():
    return har(har_entry(5, "the quick brown fox \\n" * 10_000))


def har_large():
    """One entry of 64 MiB: it is held, once."""
    return har(har_entry(1, "x" * (64 << 20)))


def peak_kb(pid):
    """0 once the process has ended."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        found = re.search(r"VmHWM:\s*(\d+) kB", status.read())
    return int(found[1]) if found else 0


def let_it_read(child):
    """Returns once the process has read what was written and waits for more (or after five seconds)."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and child.poll() is None:
        unread = struct.unpack("i", fcntl.ioctl(child.stdin, termios.FIONREAD, bytes(4)))[0]
        with open(f"/proc/{child.pid}/stat", encoding="ascii") as stat:
            waits = stat.read().rpartition(")")[2].split()[0] == "S"
        if unread == 0 and waits:
            return
        os.sched_yield()


def peak_of(arguments, blocks):
    """(status, highest VmHWM in kB) of a run that is fed the blocks."""
    child = subprocess.Popen([program(), *arguments], stdin=subprocess.PIPE, bufsize=0,
                             stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    peak = 0
    try:
        for count, block in enumerate(blocks):
            child.stdin.write(block)
            if count % 1024 == 0:
                peak = max(peak, peak_kb(child.pid))
        let_it_read(child)  # a short run would end before it is looked at
        peak = max(peak, peak_kb(child.pid))
    except BrokenPipeError:
        pass  # its status tells
    child.stdin.close()
    # What is held is read back and written after the input has ended.
    while child.poll() is None:
        peak = max(peak, peak_kb(child.pid))
        try:
            child.wait(timeout=0.05)
        except subprocess.TimeoutExpired:
            pass
    return child.returncode, peak


def starved(tally):
    """Where there is no more memory, that is an error like others."""
    room = 96 << 20
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (2 * room)
    child = subprocess.Popen([program(), "where", "body ~ x"], stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)))
    _, err = child.communicate(head + b"y" * (2 * room), timeout=60)
    tally.check("out of memory is told, exit 5",
                child.returncode == 5 and b"out of memory" in err, f"{child.returncode} {err!r}")


def split(tally):
    """A name of -o '{host}.har' costs a little state, not a writer."""
    def peak(hosts, folder):
        entries = b",".join(b'{"request":{"method":"GET","url":"http://h%d.example/","headers":[]},'
                            b'"response":{"status":200,"headers":[]}}' % n for n in range(hosts))
        blocks = [b'{"log":{"entries":[', entries, b"]}}"]
        status, most = peak_of(["-o", f"{folder}/{hosts}/{{host}}.har"], blocks)
        tally.check(f"{hosts} names: every file is there",
                    status == 0 and len(os.listdir(f"{folder}/{hosts}")) == hosts, f"status {status}")
        return most

    with scratch() as folder:
        few, many = peak(200, folder), peak(3200, folder)
    tally.check("3,000 more names take at most 2 KiB each", many - few <= 6000, f"{few} kB, then {many} kB")


def main():
    tally = Tally()
    if not os.path.exists("/proc/self/status"):
        tally.skip("memory", "no /proc here")
        tally.close()
    cases = [
        ([], chunked),
        (["dechunk", "then", "gzip", "--level", "1"], chunked),
        (["gzip", "--level", "1", "then", "chunk"], counted),
        (["set", "X-Law: 1"], counted),
        (["set", "X-Law: 1", "then", "remove", "content-type"], messages),
        (["--json", "--no-body"], messages),
        ([], har_heads),
        (["set", "X-Law: 1"], har_heads),
        (["set", "X-Law: 1"], har_bodies),
        (["-t", "http"], har_bodies),
        (["set", "X-Law: 1"], har_large),
    ]
    for arguments, blocks in cases:
        status, peak = peak_of(arguments, blocks())
        name = f"{' '.join(arguments) or '(empty)'} over {blocks.__name__}, {SIZE >> 20} MiB"
        print(f"peak {peak} kB: {name}")
        limit = LIMIT_KB + (64 << 10 if blocks is har_large else 0)  # and the largest entry
        tally.check(name, status == 0 and peak < limit, f"status {status}, peak {peak} kB")
    starved(tally)
    split(tally)
    tally.close()


if __name__ == "__main__":
    main()
