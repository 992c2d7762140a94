#!/usr/bin/env python3
"""HAR files of any size: memory stays under 16 MiB and the largest entry, time grows as the size does.

The input is made of real entries repeated, once of those that are mostly headers, once of those that are mostly
bodies: from REHEAD_CORPUS (har/real), else of the files in tests/data/har/browser. REHEAD_LAW_BYTES sets the size
(64 MiB unless said); the times, processor seconds at a quarter, half and all of it, are printed and not judged.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

from harness import ENVIRONMENT, ROOT, Tally, program
from memory import peak_kb

SIZE = int(os.environ.get("REHEAD_LAW_BYTES", 64 << 20))
LIMIT_KB = 16 << 10
BLANKS = re.compile(r"[ \t\r\n,]*")
START = b'{"log":{"version":"1.2","creator":{"name":"law","version":"1"},"pages":[],"entries":[\n'
END = b"\n]}}\n"


def entries_of(text):
    """The texts of the entries of a HAR, as they stand there."""
    found = re.search(r'"entries"\s*:\s*\[', text)
    decoder = json.JSONDecoder()
    at = BLANKS.match(text, found.end()).end() if found else len(text)
    while at < len(text) and text[at] == "{":
        entry, end = decoder.raw_decode(text, at)
        yield entry, text[at:end]
        at = BLANKS.match(text, end).end()


def share_of_text(entry, size):
    content = (entry.get("response") or {}).get("content") or {}
    return len(content.get("text") or "") / size


def collect():
    """(of heads, of bodies): entry texts, and whether they come from the corpus."""
    real = pathlib.Path(os.environ.get("REHEAD_CORPUS", ROOT.parent / "shared")) / "har" / "real"
    files = sorted(real.glob("*.har"))
    heads, bodies = [], []
    for path in files or sorted((ROOT / "tests" / "data" / "har" / "browser").glob("*.har")):
        try:
            for entry, text in entries_of(path.read_text("utf-8-sig")):
                share = share_of_text(entry, len(text))
                if share == 0:
                    heads.append(text.encode())
                elif share > 0.5:
                    bodies.append(text.encode())
        except (ValueError, AttributeError):
            continue  # files that are broken on purpose
    return heads, bodies, bool(files)


def blocks(entries, size):
    yield START
    block = b",\n".join(entries)
    # A block of a MiB at least, so that feeding it is no work to speak of.
    block = b",\n".join([block] * max(1, (1 << 20) // len(block)))
    written = 0
    while True:
        yield block
        written += len(block)
        if written >= size:
            break
        yield b",\n"
    yield END


def run(arguments, entries, size):
    """(status, peak in kB, processor seconds, bytes)."""
    child = subprocess.Popen([program(), "-q", *arguments], stdin=subprocess.PIPE, bufsize=0,
                             stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    peak = fed = 0
    try:
        for block in blocks(entries, size):
            fed += len(block)
            view = memoryview(block)
            while view:
                view = view[child.stdin.write(view):]
        peak = peak_kb(child.pid)
    except BrokenPipeError:
        pass  # its status tells
    child.stdin.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, peak, usage.ru_utime + usage.ru_stime, fed


def main():
    tally = Tally()
    if not os.path.exists("/proc/self/status"):
        tally.skip("memory", "no /proc here")
        tally.close()
    heads, bodies, real = collect()
    if not real:
        tally.skip("real entries", "REHEAD_CORPUS is absent, those of tests/data/har/browser stand in")
    for kind, entries in (("heads", heads), ("bodies", bodies)):
        if not entries:
            tally.skip(kind, "no such entries")
            continue
        largest = max(map(len, entries))
        for arguments in ([], ["set", "X-Law: 1"], ["remove", "cookie,set-cookie,user-agent"], ["-t", "http"],
                          ["--json"], ["get", ":url"]):
            name = f"{' '.join(arguments) or '(empty)'} over {kind}"
            times = []
            for part in (4, 2, 1):
                status, peak, seconds, fed = run(arguments, entries, SIZE // part)
                times.append(f"{seconds:.2f}")
                limit = LIMIT_KB + (largest >> 10)
                tally.check(f"{name}, {fed >> 20} MiB", status in (0, 3) and 0 < peak < limit,
                            f"status {status}, peak {peak} kB of {limit}")
            print(f"{name}: {fed >> 20} MiB, {len(entries)} entries repeated, largest {largest >> 10} kB: "
                  f"peak {peak} kB; {' '.join(times)} s at 1/4, 1/2, 1")
            sys.stdout.flush()
    tally.close()


main()
