#!/usr/bin/env python3
"""Twelve workloads take no more instructions than tests/bench/instructions.tsv says, give or take a tenth.

    tests/laws/instructions.py [--update]

Counted by callgrind, so a busy machine changes nothing; the time of a start is in each count. A change of speed brings
new figures (--update) and a line in tests/bench/LOG.md. Skipped without valgrind, and on a machine without AVX2, whose
ways the figures are of.
"""

import pathlib
import shutil
import subprocess
import sys

from harness import ROOT, Run, Tally, clip, counted, scratch

TABLE = ROOT / "tests" / "bench" / "instructions.tsv"
MOST = 1.10


def stream(*options):
    return subprocess.run([sys.executable, ROOT / "tests" / "bench" / "generate.py", *options], capture_output=True,
                          check=True).stdout


def workloads():
    """(name, chain, data)"""
    small = stream("--size", "1", "--body", "512-2048")
    large = stream("--size", "4", "--body", "2048-204800")
    coded = stream("--size", "0.5", "--body", "2048-2048", "--coding", "gzip")
    har = Run(["-t", "har"], small).out
    bodies = Run(["-t", "har"], large).out
    lines = Run(["--json"], har).out
    yield "start", ["set", "A: 1"], b""
    yield "raw, empty chain", [], small
    yield "raw, set one field", ["set", "X-Bench: 1"], small
    yield "raw, four steps", ["set", "A: 1", "then", "remove", "server", "then", "add", "B: 2", "then", "lower"], small
    yield "raw, large bodies", ["set", "X-Bench: 1"], large
    yield "raw, merge-cookies", ["merge-cookies"], small
    yield "raw, where", ["where", "h:content-type ~ ^text/ or status>=400"], small
    yield "raw, inflate", ["inflate"], coded
    yield "HAR, set one field", ["set", "X-Bench: 1"], har
    yield "HAR, bodies to raw HTTP", ["-t", "http"], bodies
    yield "HAR to NDJSON", ["--json"], har
    yield "NDJSON, set one field", ["-f", "ndjson", "set", "X-Bench: 1"], lines


def recorded():
    if not TABLE.exists():
        return {}
    rows = (line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#"))
    return {name: int(number) for name, number in rows}


def main():
    tally = Tally()
    cpu = pathlib.Path("/proc/cpuinfo")
    if not shutil.which("valgrind") or not cpu.exists() or " avx2 " not in cpu.read_text():
        tally.skip("instructions of twelve workloads", "no valgrind here, or no AVX2")
        tally.close()
    known = recorded()
    update = "--update" in sys.argv[1:]
    seen = {}
    with scratch() as folder:
        for name, chain, data in workloads():
            seen[name] = counted(chain, data, folder)
            if not update:
                limit = known.get(name, 0) * MOST
                tally.check(f"{name}: {seen[name]} instructions", 0 < seen[name] <= limit, f"{known.get(name)} are recorded")
    if update:
        lines = ["# workload, instructions (callgrind, g++ 12 -O2, static, AVX2): tests/laws/instructions.py --update"]
        TABLE.write_text("\n".join([*lines, *(f"{name}\t{number}" for name, number in seen.items())]) + "\n")
    else:
        tally.check("every recorded workload is run", set(known) == set(seen), clip(repr(set(known) ^ set(seen)).encode()))
    tally.close()


main()
