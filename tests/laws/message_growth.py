#!/usr/bin/env python3
"""Twice the messages take at most 2.1 times the work, whatever the verb: counted in instructions (callgrind).

Over raw messages, and over NDJSON and HAR for some verbs. Skipped where valgrind is absent.
"""

import math
import shutil

from harness import Run, Tally, counted, scratch

MOST = 2.1
MESSAGE = (b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nSet-Cookie: a=1, b=2\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nhello")
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n2\r\nhi\r\n0\r\nT: 1\r\n\r\n"
REQUEST = b"GET /a HTTP/1.1\r\nHost: h\r\nCookie: a=1; b=2\r\n\r\n"
RAW = REQUEST + MESSAGE + CHUNKED

CHAINS = [
    ["set", "X-New: 1"], ["add", "X-A: 2"], ["remove", "x-*"], ["keep", "x-a"], ["rename", "x-a=X-B"], ["sub", "x-a:/1/2/"],
    ["sub", ":body:/l/L/"], ["sort"], ["lower"], ["join", "*"], ["strip-hop"], ["merge-cookies"], ["split-cookies"],
    ["remove-cookie", "a"], ["set-cookie", "n=1"], ["content-length"], ["content-type", "a/b"], ["dechunk", "--trailers", "merge"],
    ["chunk"], ["gzip"], ["gzip", "then", "inflate"], ["etag"], ["body", "new"], ["drop-body"], ["where", "size>1"], ["last"],
    ["test", "status=200"], ["get", "-s", "both", "x-a"], ["names"], ["count"], ["lint"], ["log"],
]
ELSEWHERE = [["set", "X-New: 1"], ["-s", "both", "gzip"], ["merge-cookies"], ["where", "body ~ l"]]


def main():
    tally = Tally()
    if not shutil.which("valgrind"):
        tally.skip("growth with the number of messages", "no valgrind here")
        tally.close()
    inputs = {"raw": lambda n: RAW * n,
              "NDJSON": lambda n: Run(["--json"], RAW * n).out,
              "HAR": lambda n: Run(["-t", "har"], (REQUEST + MESSAGE) * n).out}
    with scratch() as folder:
        for name, make in inputs.items():
            for chain in CHAINS if name == "raw" else ELSEWHERE:
                start, small, large = (counted(chain, make(number), folder) for number in (1, 50, 400))
                rate = (max(large - start, 1) / max(small - start, 1)) ** (1 / math.log2(400 / 50))
                tally.check(f"{name}: {' '.join(chain)}: growth {rate:.2f} per doubling", start and rate <= MOST,
                            f"{start} {small} {large} instructions")
    tally.close()


main()
