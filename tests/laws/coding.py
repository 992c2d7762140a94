#!/usr/bin/env python3
"""The law of content coding: for every coding, framing, size and kind of bytes the verdict is the same,
a label never lies in the output, and our own output read again is itself."""

import gzip
import json
import zlib

from harness import Run, Tally, clip

SIZES = [1, 10, 1023, 1024, 1025, 65537, 200_000]
# To a brotli decoder the first three open a block that never errs.
TEXTS = {
    "script /*!": b"/*! library 1.2 | caf\xc3\xa9 | MIT */\n(function (a) { return a + 1; })(41);\n",
    "script /**": b"/**\n * @license words\n */\nvar a = 1;\n",
    "yaml": b"---\nname: value\n",
    "semicolons": b";;var a;\n",
    "html": b"<!doctype html>\n<p>Some words here, number 42.</p>\n",
    "json": b'{"name": "value", "list": [1, 2, 3]}\n',
    "kanji": "漢字かな".encode(),
}
MAGIC = {"gzip", "zstd"}


def words(size):
    """Content that no coding makes small."""
    out, state = bytearray(), 1
    while len(out) < size:
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out += b"%x %d\n" % (state, state >> 7)
    return bytes(out[:size])


def coded(coding, content):
    if coding == "gzip":
        return gzip.compress(content, mtime=0)
    if coding == "deflate":
        return zlib.compress(content)
    if coding == "raw deflate":
        raw = zlib.compressobj(wbits=-15)
        return raw.compress(content) + raw.flush()
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content)
    return Run([coding, "--types", "all", "-t", "body"], head + content).out


def chunks(body, size):
    out = b""
    for at in range(0, len(body), size):
        part = body[at:at + size]
        out += b"%x\r\n%s\r\n" % (len(part), part)
    return out + b"0\r\n\r\n"


def framings(label, body):
    """(name, bytes, True if the framing of the input is true)"""
    line = b"Content-Encoding: %s\r\n" % label.encode()
    yield "length", b"HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s" % (line, len(body), body), True
    yield "chunks", b"HTTP/1.1 200 OK\r\n%sTransfer-Encoding: chunked\r\n\r\n%s" % (line, chunks(body, 700)), True
    yield "chunks off", b"HTTP/1.1 200 OK\r\n%sTransfer-Encoding: chunked\r\n\r\n%s" % (line, body), False
    yield "HTTP/2", b"HTTP/2 200 \r\n%s\r\n%s" % (line.lower(), body), True
    yield "close", b"HTTP/1.0 200 OK\r\n%s\r\n%s" % (line, body), True


def found(run):
    """What one message says: label, body, number of warnings; None if it is not one message."""
    lines = [json.loads(line) for line in Run(["--json"], run.out).out.splitlines()]
    if len(lines) != 1:
        return None
    names = {name.lower(): value for name, value, *_ in lines[0]["headers"]}
    body = Run(["-t", "body"], run.out).out
    return names.get("content-encoding"), body, run.err.count(b"warning: Content-Encoding")


def judge(tally, what, data, true_framing, label, body, content):
    """`label` is what the output has to say over `body`, whose content is `content`."""
    first = Run([], data)
    lie = label is None or b": %s\r\n" % label.encode() not in data
    tally.check(f"{what}: exit", first.status == 0, clip(first.err))
    tally.check(f"{what}: label and body", found(first) == (label, body, int(lie)),
                clip(first.out) + "\n" + clip(first.err))
    if true_framing and not lie:
        tally.check(f"{what}: as it came", first.out == data, clip(first.out))
    again = Run([], first.out)
    tally.check(f"{what}: again", (again.status, again.out, again.err) == (0, first.out, b""),
                clip(again.out) + "\n" + clip(again.err))
    inflated = Run(["inflate", "-t", "body"], data)
    tally.check(f"{what}: inflate", (inflated.status, inflated.out) == (0, content), clip(inflated.err))
    through = Run(["-f", "ndjson", "-t", "body"], Run(["inflate", "--json"], data).out)
    tally.check(f"{what}: inflate, NDJSON", through.out == content, clip(through.err))


def law_of_verdicts(tally):
    for coding in ("gzip", "deflate", "raw deflate", "br", "zstd"):
        label = coding.split()[-1]
        for size in SIZES:
            content = words(size)
            bodies = [("coded", coded(coding, content), label, content)]
            name = list(TEXTS)[SIZES.index(size) % len(TEXTS)]
            for kind in {name, "script /*!"}:
                text = (TEXTS[kind] * (size // len(TEXTS[kind]) + 1))[:size]
                if size >= 1024 or text.decode("utf-8", "ignore").encode() == text:
                    bodies.append((kind, text, None, text))
            if label != "gzip" and size > 1:
                other = coded("gzip", content)
                bodies.append(("gzip bytes", other, "gzip", content))
            for kind, body, said, inside in bodies:
                for framing, data, true_framing in framings(label, body):
                    if framing == "close" and size > 1025:
                        continue
                    judge(tally, f"{coding}, {kind}, {size}, {framing}", data, true_framing, said, body, inside)


def law_of_cuts(tally):
    """A cut body keeps the verdict of its start."""
    for coding in ("gzip", "deflate", "br", "zstd"):
        body = coded(coding, words(5000))
        for kept in (1, 4, 700, 1024, 2000)[coding not in MAGIC:]:
            data = b"HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (
                coding.encode(), len(body)) + body[:kept]
            run = Run([], data)
            tally.check(f"{coding} cut at {kept}", (run.status, run.out) == (3, data), clip(run.err))


def law_of_all_texts(tally):
    for label in ("br", "deflate"):
        for name, text in TEXTS.items():
            for times in (1, 100, 4000):
                for framing, data, true_framing in framings(label, text * times):
                    judge(tally, f"{label}, {name} {times} times, {framing}", data, true_framing, None,
                          text * times, text * times)


def main():
    tally = Tally()
    law_of_verdicts(tally)
    law_of_cuts(tally)
    law_of_all_texts(tally)
    tally.close()


main()
