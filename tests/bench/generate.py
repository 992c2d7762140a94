#!/usr/bin/env python3
"""Writes a stream of HTTP responses for the benchmarks: real-looking heads, text bodies, always the same bytes.

    generate.py --size MIB [--fields 8,25,60] [--body LOW-HIGH] [--coding gzip] > stream.http

The heads of headers/response-N.txt take turns; body sizes are spread evenly in [LOW, HIGH] bytes.
"""

import argparse
import pathlib
import random
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent


def text(source, size):
    """Prose-like JSON lines: deflates about 5:1, as pages and API answers do."""
    words = ("lamp desk chair shelf oak steel linen order total price stock item page next euro "
             "delivery cart basket warm white dimmer socket frame drawer handle").split()
    lines = []
    length = 0
    while length < size:
        line = '{"id":%d,"name":"%s","price":"%d.%02d","note":"%s"}\n' % (
            source.randrange(10**6), " ".join(source.choices(words, k=3)), source.randrange(400),
            source.randrange(100), " ".join(source.choices(words, k=source.randrange(4, 12))))
        lines.append(line)
        length += len(line)
    return "".join(lines).encode()[:size]


def gzip(data):
    coder = zlib.compressobj(6, zlib.DEFLATED, 31)
    return coder.compress(data) + coder.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=float, default=64, help="MiB in all")
    parser.add_argument("--fields", default="8,25,60")
    parser.add_argument("--body", default="1024-1024")
    parser.add_argument("--coding", choices=["gzip"])
    options = parser.parse_args()
    source = random.Random(1)
    heads = [(HERE / "headers" / f"response-{n}.txt").read_text().replace("\n", "\r\n")
             for n in options.fields.split(",")]
    low, high = map(int, options.body.split("-"))
    material = text(source, 4 * high + (1 << 20))
    left = int(options.size * (1 << 20))
    number = 0
    while left > 0:
        head = heads[number % len(heads)]
        size = source.randint(low, high)
        start = source.randrange(len(material) - size)
        body = material[start:start + size]
        if options.coding:
            body = gzip(body)
            head = "Content-Encoding: gzip\r\n" + head
        message = (f"HTTP/1.1 200 OK\r\n{head}Content-Length: {len(body)}\r\n\r\n").encode() + body
        sys.stdout.buffer.write(message)
        left -= len(message)
        number += 1


main()
