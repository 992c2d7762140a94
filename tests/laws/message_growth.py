#!/usr/bin/env python3
"""Twice the messages, or twice the fields of one, take at most 2.1 times the work, whatever the verb.

Counted in instructions (callgrind); the usual steps take no memory at all for a message. Every verb of `rehead help` is run over raw messages, those that change messages
over NDJSON and HAR too, some in one chain. A new verb fails here until it has a row. Skipped where valgrind is absent.
"""

import json
import math
import shutil

from halves import CHANGING, verbs
from harness import Run, Tally, counted, scratch

MOST = 2.1
MESSAGE = (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nSet-Cookie: a=1, b=2\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nhello")
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n2\r\nhi\r\n0\r\nT: 1\r\n\r\n"
REQUEST = b"GET /a HTTP/1.1\r\nHost: h\r\nCookie: a=1; b=2\r\n\r\n"
RAW = REQUEST + MESSAGE + CHUNKED

# What chooses, asserts or reports; what changes messages stands in halves.py.
OTHERS = {
    "where": [["size>1"], ["body ~ l"]], "first": [["9999"]], "last": [[]], "nth": [["1,9999"]], "test": [["status=200"]],
    "get": [["-s", "both", "x-a"]], "names": [[]], "count": [[]], "lint": [[]], "log": [[]],
}
ROWS = CHANGING | OTHERS
TOGETHER = 5  # verbs of one chain over NDJSON and HAR

# One message of n parts: its name, the bytes, the chain.
PARTS = {
    "trailers of many names": (lambda n: chunked(b"T-%d: 1\r\n" % i for i in range(n)), ["dechunk", "--trailers", "merge"]),
    "trailers of one name": (lambda n: chunked(b"T: %d\r\n" % i for i in range(n)), ["dechunk", "--trailers", "merge"]),
}


def chunked(trailers):
    return (b"HTTP/1.1 200 OK\r\nT: 0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n" + b"".join(trailers) + b"\r\n")


def chains():
    """(format, chain) for all there is to count."""
    for verb, ways in ROWS.items():
        for way in ways:
            yield "raw", [verb, *way]
    # drop-body would leave the rest nothing to do
    steps = [[verb, *ways[0]] for verb, ways in CHANGING.items() if verb != "drop-body"]
    for at in range(0, len(steps), TOGETHER):
        chain = [word for step in steps[at:at + TOGETHER] for word in ["then", *step]][1:]
        for name in ("NDJSON", "HAR"):
            yield name, ["-s", "both", *chain]
    for name in ("NDJSON", "HAR"):
        yield name, ["-s", "both", "drop-body"]
        yield name, ["where", "body ~ l"]


def allocations(chain, number):
    told = [line for line in Run(["--stats", *chain], MESSAGE * number).err.splitlines() if line.startswith(b"{")]
    return json.loads(told[-1])["allocations"] if told else 0


def main():
    tally = Tally()
    for chain in (["set", "X: 1"], ["remove", "x-a"], ["merge-cookies"], ["split-cookies"]):
        few, many = allocations(chain, 1000), allocations(chain, 4000)
        tally.check(f"{' '.join(chain)}: no allocation for each message", few and many - few <= 100, f"{few}, then {many}")
    for verb in sorted(verbs()):
        tally.check(f"{verb} has a row here", verb in ROWS)
    if not shutil.which("valgrind"):
        tally.skip("growth with the number of messages", "no valgrind here")
        tally.close()
    inputs = {"raw": lambda n: RAW * n,
              "NDJSON": lambda n: Run(["--json"], RAW * n).out,
              "HAR": lambda n: Run(["-t", "har"], (REQUEST + MESSAGE) * n).out}

    def grows(name, make, chain, few, many, folder):
        start, small, large = (counted(chain, make(number), folder) for number in (1, few, many))
        rate = (max(large - start, 1) / max(small - start, 1)) ** (1 / math.log2(many / few))
        tally.check(f"{name}: {' '.join(chain)}: growth {rate:.2f} per doubling", start and rate <= MOST,
                    f"{start} {small} {large} instructions")

    with scratch() as folder:
        for name, chain in chains():
            grows(name, inputs[name], chain, 50, 400, folder)
        for name, (make, chain) in PARTS.items():
            grows(name, make, ["--max-fields", "100000", *chain], 4000, 32000, folder)
    tally.close()


main()
