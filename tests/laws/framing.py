#!/usr/bin/env python3
"""The law of the raw sink: what any chain makes of any input is read again by the empty chain byte for byte, in
silence, with the same messages; and node's parser takes it. A message that cannot be written true may be an error."""

import itertools
import json
import pathlib
import shutil
import subprocess

from harness import ROOT, Run, Tally, clip, program, scratch

OK = b"HTTP/1.1 200 OK\r\n"
BODY = b"<p>Some words here, number 42.</p>\n"
GET = b"GET /next HTTP/1.1\r\nHost: h\r\n\r\n"
NEXT = OK + b"Content-Length: 2\r\n\r\nhi"


def answers():
    """Versions, statuses, framings and labels in every combination, alone and with a message behind."""
    bodies = {
        "length": (b"Content-Length: %d\r\n" % len(BODY), BODY),
        "chunks": (b"Transfer-Encoding: chunked\r\nTrailer: X-T\r\n",
                   b"4;e=\"a b\"\r\n" + BODY[:4] + b"\r\n%x\r\n" % len(BODY[4:]) + BODY[4:]
                   + b"\r\n0\r\nX-T: 1\r\nContent-Length: 3\r\n\r\n"),
        "sloppy-chunks": (b"Transfer-Encoding: Chunked\r\n", b"23 ; a = b;c d\r\n" + BODY + b"\r\n0 \r\n\r\n"),
        "lf-chunks": (b"Transfer-Encoding: chunked\r\n", b"23\n" + BODY + b"\n0\n\n"),
        "chunks-off": (b"Transfer-Encoding: chunked\r\n", BODY),
        "both": (b"Content-Length: 7\r\nTransfer-Encoding: chunked\r\n", b"23\r\n" + BODY + b"\r\n0\r\n\r\n"),
        "close": (b"", BODY),
        "head-alone": (b"Content-Length: 9\r\n", b""),
    }
    statuses = (b"200 OK", b"204 No Content", b"205 Reset", b"206 Part", b"304 Same", b"404: Gone", b"200OK")
    versions = (b"HTTP/1.1", b"HTTP/1.0", b"HTTP/1.9", b"http/1.1", b"HTTP/2")
    types = (b"Content-Type: text/html\r\n", b"Content-Type: text/event-stream\r\n")
    for version, status, (name, (fields, body)), kind in itertools.product(
            versions, statuses, bodies.items(), types):
        if status[:3] in (b"204", b"304"):
            body = b""
        yield f"{version.decode()} {status.decode()} {name} {kind[14:-2].decode()}", (
            version + b" " + status + b"\r\n" + kind + fields + b"\r\n" + body)


def others():
    post = b"POST /a HTTP/1.1\r\nHost: h\r\n"
    yield "a request in chunks", post + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n" + GET
    yield "a request with a length", post + b"Content-Length: 2\r\n\r\nhi" + GET
    yield "a request without a length", post + b"\r\nbody\n"
    yield "two blanks in a request line", b"GET  /a  HTTP/1.1\r\nHost: h\r\n\r\n" + GET
    yield "a redirect before a request", (GET + b"HTTP/1.1 302 F\r\nLocation: /\r\nContent-Length: 4\r\n\r\nmove"
                                          + GET + NEXT)
    yield "a stream before a request", (b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n"
                                        b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n" + GET)
    yield "a head without a last line end", b"HTTP/1.1 200 OK\nX: 1"
    yield "a head in bare LF", b"HTTP/1.1 200 OK\nX : 1\nContent-Length: 2\n\nhi\n\n" + NEXT
    yield "separators and blanks", NEXT + b"\r\n \t\n\n\n" + NEXT
    yield "an upgrade", (b"HTTP/1.1 101 S\r\nUpgrade: h2c\r\nContent-Length: 4\r\n\r\nHTTP/2 200 \r\n"
                         b"content-length: 2\r\n\r\nhi")
    yield "a saved message", OK + b"Content-Length: %d\r\n\r\n" % len(NEXT) + NEXT
    yield "a batch", (OK + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n" + NEXT + b"\r\n--b--\r\n")
    yield "an exchange of HEAD", b"HEAD / HTTP/1.1\r\nHost: h\r\n\r\n" + OK + b"Content-Length: 4\r\n\r\n" + NEXT


def lines():
    """NDJSON as a script edits it: the framing it claims is a hint."""
    for framing, status, body in itertools.product(
            ("length", "chunked", "close", "decoded", "withheld", "none", "opaque"),
            (0, 100, 200, 204, 304), (None, "", "hello", OK.decode() + "\r\n")):
        for fields in ([], [["Content-Length", "5"], ["Content-Length", "7"]], [["Transfer-Encoding", "gzip, chunked"]]):
            line = {"version": "HTTP/1.1", "headers": fields, "wire": {"framing": framing, "codings": []}}
            if status:
                line = {"kind": "response", "status": status, "reason": "X"} | line
            else:
                line = {"kind": "request", "method": "POST", "target": "/a"} | line
            if body is not None:
                line["body"] = body
            yield f"{status} {framing} {body} {fields}", (json.dumps(line) + "\n").encode() * 2


CHAINS = [
    [], ["set", "X-Law: 1"], ["content-length"], ["dechunk", "--trailers", "merge"], ["chunk", "--size", "3"],
    ["chunk", "then", "gzip", "--types", "all"], ["gzip", "--types", "all", "then", "drop-body"],
    ["body", "new HTTP/1.1 200 OK"], ["set", ":status: 204"], ["set", ":version: HTTP/1.0"],
    ["remove", "content-length,transfer-encoding"], ["rename", "x-t=Content-Length"],
]
# Fields that tell of the framing alone.
FRAMING = {"content-length", "transfer-encoding", "trailer"}


def view(run):
    """The messages of an NDJSON run, without what only frames them."""
    return [(m["kind"], m.get("status"), m.get("target"), m.get("body"), m.get("body64"), m["trailers"],
             [field for field in m["headers"] if field[0].lower() not in FRAMING])
            for m in run.messages()]


def law(tally, name, data, chain, folder):
    first = Run([*chain, "-t", "http"], data)
    what = f"{name}: {' '.join(chain)}"
    if first.status in (3, 4):
        tally.check(what, b"error" in first.err, "an exit without an error")
        return
    tally.check(what, first.status == 0, first.err)
    again = Run(["-v"], first.out)
    tally.check(what + ": read again", again.status == 0 and again.out == first.out and b"warning" not in again.err,
                f"{clip(first.out)}\n{clip(again.out)}\n{again.err.decode()}")
    if first.out:
        tally.check(what + ": the same messages", len(Run(["--json"], first.out).messages()) == len(
            Run([*chain, "--json"], data).messages()), clip(first.out))
    if not chain and b"HTTP/1." in first.out[:40] and len(list(folder.iterdir())) < 40:
        (folder / f"{len(list(folder.iterdir()))}.http").write_bytes(first.out)


def main():
    tally = Tally()
    with scratch() as place:
        folder = pathlib.Path(place)
        for index, (name, data) in enumerate(itertools.chain(answers(), others())):
            behind = data + b"\r\n" + NEXT if index % 3 == 0 and b"HTTP/2" not in data[:8] else data
            chains = CHAINS if index % 7 == 0 or not name.startswith(("HTTP", "http")) else CHAINS[index % 11:][:2]
            for chain in [[], *chains]:
                law(tally, name, behind, chain, folder)
        for name, data in lines():
            law(tally, "line " + name, data, [], folder)
        if shutil.which("node"):
            judged = subprocess.run(["node", str(ROOT / "tests/judge/judge.mjs"), program(),
                                     *sorted(map(str, folder.iterdir()))], capture_output=True, check=False)
            tally.check("node's parser", judged.returncode == 0, judged.stdout.decode()[-2000:])
        else:
            tally.skip("node's parser", "no node here")
    tally.close()


main()
