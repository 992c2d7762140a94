#!/usr/bin/env python3
"""A HAR cut anywhere, and a HAR that comes in pieces.

Cut at every offset: the entries that were complete are written and the document is closed, exit 3 with the offset.
In pieces of any size: the same bytes as in one.
"""

import json
import os
import re
import subprocess

from harness import ENVIRONMENT, Run, Tally, clip, program, scratch

SMALL = (
    b'{"log": {"version": "1.2", "creator": {"name": "l]a{w", "version": "1"}, "pages": [], "entries": [\n'
    b'  {"request": {"method": "GET", "url": "https://a.example/?q=\\"[", "headers": [{"name": "A", "value": "1"}]},\n'
    b'   "response": {"status": 200, "headers": [], "content": {"text": "\\u00e9}]\\\\"}}},\n'
    b'  {"request": {"method": "GET", "url": "https://b.example/", "headers": []}, "response": null},\n'
    b'  {"request": {"method": "GET", "url": "https://c.example/", "headers": []},\n'
    b'   "response": {"status": 204, "headers": [], "content": {}}}\n'
    b'], "comment": "[{\\"", "_x": {"y": [1, 2.50, null]}}}\n')
DOCUMENTS = {
    "a document": SMALL,
    "with a BOM and NULs": b"\xef\xbb\xbf" + SMALL + b"\0\0",
    "an array": b'[{"request": {"url": "https://a.example/", "headers": []}},\r\n {"response": {"headers": []}}]',
}


def complete(data):
    """How many entries end before the end of `data`, by a reading of its own."""
    depth, quoted, escaped, count = 0, False, False, 0
    inside = 2 if data.lstrip(b"\xef\xbb\xbf").startswith(b"[") else 4
    seen = inside == 2
    for at, byte in enumerate(data):
        sign = chr(byte)
        if quoted:
            escaped, quoted = (not escaped and sign == "\\"), escaped or sign != '"'
        elif sign == '"':
            quoted = True
        elif sign in "[{":
            depth += 1
            seen = seen or re.search(rb'"entries"\s*:\s*$', data[:at]) is not None
        elif sign in "]}":
            depth -= 1
            count += seen and depth == inside - 1 and sign == "}" and b'"comment"' not in data[:at]
    return count


def entries_in(text):
    document = json.loads(text.decode("utf-8-sig").rstrip("\0"))
    return document if isinstance(document, list) else document.get("log", {}).get("entries", [])


def cuts(tally):
    for name, data in DOCUMENTS.items():
        whole = entries_in(data)
        end = len(data.rstrip(b"\0 \n"))
        for chain in ([], ["set", "X-Law: 1"]):
            bad = []
            for size in range(data.index(b"{" if b"{" in data[:4] else b"[") + 1, len(data)):
                run = Run([*chain, "-f", "har"], data[:size])
                if size >= end:
                    fine = run.status == 0
                else:
                    wanted = complete(data[:size])
                    told = f"byte {size}: error: ".encode() in run.err
                    try:
                        got = entries_in(run.out) if run.out.strip(b"\xef\xbb\xbf \n") else []
                    except (ValueError, KeyError, TypeError):
                        got = None
                    same = got is not None and len(got) == wanted
                    if same and not chain:
                        same = got == whole[:wanted]
                    fine = run.status == 3 and told and same
                if not fine:
                    bad.append((size, run.status, clip(run.err, 120), clip(run.out[-80:])))
            tally.check(f"{name}, cut at every offset: {' '.join(chain) or '(empty)'}", not bad, bad[:3])


def cut_files_stay(tally):
    with scratch() as folder:
        path = os.path.join(folder, "a.har")
        out = os.path.join(folder, "out.har")
        bad = []
        for size in range(1, len(SMALL.rstrip()), 7):
            with open(path, "wb") as file:
                file.write(SMALL[:size])
            runs = Run(["-f", "har", "-I", "set", "X-Law: 1", path]), Run(["-f", "har", path, "-o", out])
            with open(path, "rb") as file:
                kept = file.read() == SMALL[:size]
            if not kept or os.path.exists(out) or any(run.status != 3 for run in runs):
                bad.append((size, kept, [run.status for run in runs]))
        tally.check("a cut file is not replaced", not bad, bad[:3])


def pieces(tally):
    """Each read gets what one write gave: the pipe is read empty before the next."""
    chains = [[], ["set", "X-Law: 1"], ["-t", "http"], ["--json"], ["-t", "curl"], ["get", ":url"]]
    for name, data in DOCUMENTS.items():
        for chain in chains:
            whole = Run(["-f", "har", *chain], data)
            bad = []
            for step in (1, 2, 3, 7, 64):
                child = subprocess.Popen([program(), "-f", "har", *chain], stdin=subprocess.PIPE, bufsize=0,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
                for at in range(0, len(data), step):
                    child.stdin.write(data[at:at + step])
                out, err = child.communicate()
                if (out, err, child.returncode) != (whole.out, whole.err, whole.status):
                    bad.append((step, child.returncode, clip(out)))
            tally.check(f"{name} in pieces: {' '.join(chain) or '(empty)'}", not bad, bad[:2])


def main():
    tally = Tally()
    cuts(tally)
    cut_files_stay(tally)
    pieces(tally)
    tally.close()


main()
