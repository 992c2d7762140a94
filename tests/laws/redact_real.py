#!/usr/bin/env python3
"""redact over recorded HAR files changes only what it hides, and its work grows with its input.

The files are those of $REHEAD_CORPUS/har; without them that law is skipped. Growth is counted in instructions
(callgrind), skipped where valgrind is absent. Names of laws as arguments choose among them.
"""

import base64
import json
import os
import pathlib
import shutil
import sys

from harness import ROOT, Run, Tally, clip, counted, scratch
from redact_judge import difference, differences

MOST = 2.1
LARGEST = 9_000_000
UNTOUCHED = {"accept", "accept-encoding", "accept-language", "cache-control", "connection", "content-encoding", "content-type", "date", "etag",
             "expires", "host", "last-modified", "pragma", "server", "traceparent", "transfer-encoding", "user-agent", "vary"}
# Members of a HAR that hold numbers of their own: never a secret.
NUMBERS = {"time", "status", "size", "headersSize", "bodySize", "compression", "blocked", "dns", "connect", "send", "wait", "receive", "ssl",
           "onContentLoad", "onLoad", "lineNumber", "columnNumber", "opcode", "httpOnly", "secure"}


def objects(value):
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(one)


def innocent_fields(data):
    """(name, value) of the fields that hold no secret, in order; None where it is no JSON for Python."""
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except ValueError:
        return None
    fields = [field for one in objects(document) for field in one.get("headers") or [] if isinstance(one.get("headers"), list)]
    return [(field.get("name"), field.get("value")) for field in fields
            if isinstance(field, dict) and str(field.get("name")).lower() in UNTOUCHED]


def hides(old, new):
    """A string with something hidden: it says so, also inside base64, and is no longer what it was."""
    return "REDACTED" in new or "REDACTED" in decoded(new)


def decoded(text):
    try:
        return base64.b64decode(text, validate=False).decode("utf-8", "replace")
    except ValueError:
        return ""


def recorded(tally):
    corpus = pathlib.Path(os.environ.get("REHEAD_CORPUS", ROOT.parent / "shared")) / "har"
    files = [path for folder in ("browser", "synthetic", "real") for path in sorted((corpus / folder).glob("*"))
             if path.suffix in (".har", ".json", ".jsonl") and path.stat().st_size <= LARGEST]
    if not files:
        return tally.skip("recorded HAR files", f"none in {corpus}")
    changed = 0
    for path in files:
        data, plain = path.read_bytes(), Run([str(path)])
        for options in ([], ["--text"], ["--text", "--pii"]):
            name = f"{path.name}: redact {' '.join(options)}".rstrip()
            run = Run(["redact", *options, str(path)])
            tally.check(f"{name}: exit", run.status in (plain.status, 3), f"exit {run.status}, without {plain.status}: {clip(run.err)}")
            if plain.status == 0 and run.status == 0:
                changed += run.out != data
                wrong = differences(plain.out, run.out, hides, lambda member: member not in NUMBERS)
                tally.check(f"{name}: only hidden values differ", not wrong, f"{len(wrong)}:\n" + "\n".join(wrong[:5]))
                before, after = innocent_fields(plain.out), innocent_fields(run.out)
                # Four numbers with dots between them may be a version.
                lost = [pair for pair in zip(before or [], after or []) if pair[0] != pair[1] and "--pii" not in options]
                tally.check(f"{name}: JSON if it was, innocent fields untouched", (before is None) == (after is None) and len(before or []) == len(after or []) and not lost, lost[:3])
            again = Run(["redact", *options], run.out)
            tally.check(f"{name}: twice changes nothing", plain.status != 0 or again.out == run.out, difference(run.out, again.out))
            check = Run(["--check", "redact", *options], run.out)
            tally.check(f"{name}: --check is clean after it", check.status != 1, clip(check.err))
    return tally.check("something was hidden in most files", changed > len(files), f"{changed} of {3 * len(files)} runs")


def entry(request="", response="", url="https://a.example/p", rest=""):
    return ('{"startedDateTime":"2024-01-01T00:00:00Z","time":1,"request":{"method":"POST","url":"%s","headers":[%s]},'
            '"response":{"status":200,"headers":[]%s}%s}' % (url, request, response, rest))


def har(*entries):
    return '{"log":{"version":"1.2","entries":[%s]}}' % ",\n".join(entries)


def field(name, value):
    return '{"name":"%s","value":"%s"}' % (name, value)


def content(text):
    return ',"content":{"size":1,"mimeType":"application/json","text":"%s"}' % text


TEXT = "lorem ipsum dolor sit amet " * 8_000
# name: (document of that many, arguments of that many, how many to count with). Eight times as many are the other end.
AXES = {
    "cookies in one field": (lambda n: har(entry(field("Cookie", "; ".join(f"c{i}=value{i:09}" for i in range(n))))), lambda n: [], 500),
    "Set-Cookie fields": (lambda n: har(entry(",".join(field("Set-Cookie", f"c{i}=value{i:09}; Path=/") for i in range(n)))), lambda n: [], 500),
    "query parameters": (lambda n: har(entry(url="https://a.example/p?" + "&".join(f"token{i}=v&token=value{i:09}" for i in range(n)))), lambda n: [], 500),
    "entries with a value of their own": (lambda n: har(*(entry(field("X-Api-Key", f"value{i:09}")) for i in range(n))), lambda n: [], 500),
    "values over the limit": (lambda n: har(*(entry(field("X-Api-Key", f"value{i:09}")) for i in range(n))), lambda n: [], 2_000),
    "values before a long text": (lambda n: har(*(entry(field("X-Api-Key", f"value{i:09}")) for i in range(n)), entry(response=content(TEXT))), lambda n: ["--text"], 500),
    "values alike, before texts alike": (lambda n: har(*(entry(field("X-Api-Key", f"aaaaaaaa{i:09}")) for i in range(n)), entry(response=content("a" * 40 * n))), lambda n: ["--text"], 250),
    "names of --also": (lambda n: har(entry(",".join(field(f"X-{i}", "v") for i in range(300)))), lambda n: ["--also", ",".join(f"name{i}" for i in range(n))], 1_000),
    "globs of --also": (lambda n: har(entry(",".join(field(f"X-{i}", "v") for i in range(300)))), lambda n: ["--also", ",".join(f"na*me{i}" for i in range(n))], 500),
    "patterns": (lambda n: har(entry(response=content(TEXT))), lambda n: ["--text", "--match", "|".join(f"order-{i:04}" for i in range(n))], 50),
    "a text": (lambda n: har(entry(response=content("lorem ipsum dolor " * n))), lambda n: ["--text", "--pii"], 10_000),
    "a text of escapes": (lambda n: har(entry(response=content("\\u00e9\\n" * n))), lambda n: ["--text", "--pii"], 10_000),
    "a text of starts": (lambda n: har(entry(response=content("eyJ.Bearer -----BEGIN a@1.2.::" * n))), lambda n: ["--text", "--pii"], 5_000),
    "a text of one letter": (lambda n: har(entry(response=content("a" * n))), lambda n: ["--text", "--pii"], 100_000),
    "a text of dots and digits": (lambda n: har(entry(response=content("1." * n))), lambda n: ["--text", "--pii"], 50_000),
    "a text of colons": (lambda n: har(entry(response=content("a:" * n))), lambda n: ["--text", "--pii"], 50_000),
    "members of a JSON body": (lambda n: har(entry(response=content("{" + ",".join('\\"token\\":\\"value%09d\\"' % i for i in range(n)) + "}"))), lambda n: ["--text"], 500),
    "levels of a JSON body": (lambda n: har(entry(response=content('{\\"token\\":[' * n + "]}" * n))), lambda n: ["--text"], 60),
    "parts of a form": (lambda n: har(entry(response=content("&".join(f"a{i}=%41&token=value{i:09}" for i in range(n))))), lambda n: ["--text"], 500),
    "percent signs": (lambda n: har(entry(url="https://a.example/p?a=" + "%25" * n)), lambda n: [], 5_000),
    "URLs in URLs": (lambda n: har(entry(url="https://a.example/p?" + "u=https://b.example/?" * n)), lambda n: [], 500),
    "entries, two passes": (lambda n: har(*(entry(field("X-Api-Key", f"value{i:09}")) for i in range(n))), lambda n: ["--two-pass"], 500),
}


def growth(tally):
    if not shutil.which("valgrind"):
        return tally.skip("growth of redact", "no valgrind here")
    with scratch() as folder:
        for axis, (make, words, number) in AXES.items():
            start, small, large = (counted(["redact", *words(n)], make(n).encode(), folder) for n in (1, number, 8 * number))
            rate = (max(large - start, 1) / max(small - start, 1)) ** (1 / 3)
            flat = large - start < start / 100  # hardly anything grows: a page more or less is noise
            tally.check(f"{axis}: growth {rate:.2f} per doubling", start > 0 and (rate <= MOST or flat), f"{start} {small} {large} instructions")
    return None


def main():
    laws = {law.__name__: law for law in (recorded, growth)}
    tally = Tally()
    for name in [word for word in sys.argv[1:] if word in laws] or laws:
        laws[name](tally)
    tally.close()


main()
