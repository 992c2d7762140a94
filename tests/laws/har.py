#!/usr/bin/env python3
"""Laws over every HAR at hand: the empty chain changes no byte, an edit changes only the header members it
names and what mirrors them. Compared token by token, in the spelling of the file: strings with their escapes,
numbers with their zeros, repeated keys, order."""

import os
import pathlib
import re

from harness import ROOT, Run, Tally, clip

TOKEN = re.compile(r'[ \t\r\n\0\ufeff]*("(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"\0]+)', re.S)


class Reader:
    """JSON as nested lists of raw tokens: an object is ("{", [(key, value)...]), an array ("[", [...])."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def value(self):
        token = self.take()
        if token == "{":
            members = []
            while self.tokens[self.at] != "}":
                if members:
                    assert self.take() == ","
                key = self.take()
                assert self.take() == ":"
                members.append((key, self.value()))
            self.take()
            return ("{", members)
        if token == "[":
            elements = []
            while self.tokens[self.at] != "]":
                if elements:
                    assert self.take() == ","
                elements.append(self.value())
            self.take()
            return ("[", elements)
        return token


def read(data):
    reader = Reader(data.decode("utf-8", "surrogateescape"))
    documents = []
    while reader.at < len(reader.tokens):
        documents.append(reader.value())
    return documents


def corpus():
    shared = pathlib.Path(os.environ.get("REHEAD_CORPUS", ROOT.parent / "shared"))
    files = sorted(path for path in (ROOT / "tests" / "data" / "har").glob("*/*"))
    real = sorted((shared / "har" / "real").glob("*.har"))
    return files + real, bool(real)


# No HAR, or none that can be read to its end.
REFUSED = {
    "mitmproxy__mitmproxy_data_corrupted_har_brokenfile.har": 3,
    "deep-nesting.har": 4,
    "truncated-mid-entry.har": 3,
    "utf16le.har": 3,
    "headers-object.har": 3,
}
UNREADABLE_ENTRY = {"headers-object.har"}
# Several documents become one.
MERGED = {"concatenated.har"}


def member(value, key):
    """The last member of that name."""
    found = None
    if isinstance(value, tuple) and value[0] == "{":
        for name, inner in value[1]:
            if name == f'"{key}"':
                found = inner
    return found


def text(token):
    if not isinstance(token, str) or not token.startswith('"'):
        return token if isinstance(token, str) else None
    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", unescape, token[1:-1], flags=re.S)


def unescape(match):
    code = match.group(1)
    if code[0] == "u" and len(code) == 5:
        return chr(int(code[1:], 16))
    return {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}.get(code, code)


def header_name(element):
    if element[0] == "[":
        return text(element[1][0])
    return text(member(element, "name"))


def entries_of(document):
    log = member(document, "log")
    if log is not None:
        for key, value in log[1]:
            if key == '"entries"':
                yield from value[1]
    elif document[0] == "[":
        yield from document[1]
    else:
        yield document


def edit(value, path, change):
    """The value with what lies at `path` (keys) changed by change(inner)."""
    if not path:
        return change(value)
    if not isinstance(value, tuple) or value[0] != "{":
        return value
    last = max((i for i, (key, _) in enumerate(value[1]) if key == f'"{path[0]}"'), default=None)
    return ("{", [(key, edit(inner, path[1:], change) if i == last else inner)
                  for i, (key, inner) in enumerate(value[1])])


def over_entries(document, change):
    """The document with every entry changed by change(entry)."""
    if member(document, "log") is not None:
        members = []
        for key, value in document[1]:
            if key == '"log"' and isinstance(value, tuple):
                value = ("{", [(k, ("[", [change(e) for e in v[1]]) if k == '"entries"' else v)
                               for k, v in value[1]])
            members.append((key, value))
        return ("{", members)
    if document[0] == "[":
        return ("[", [change(entry) for entry in document[1]])
    return change(document)


def without(name):
    """What `remove NAME` must give."""
    def half(message, is_request):
        headers = member(message, "headers")
        if not isinstance(headers, tuple):
            return message
        kept = [e for e in headers[1] if (header_name(e) or "").lower() != name]
        there = len(kept) != len(headers[1])
        if there:
            message = edit(message, ["headers"], lambda _: ("[", kept))
        if there and isinstance(member(message, "headersSize"), str):
            message = edit(message, ["headersSize"],
                           lambda old: "-1" if re.fullmatch(r"-?\d+", old) else old)

        def emptied(old):  # a mirror follows also where no header is
            return '""' if there or (isinstance(old, str) and old.startswith('"')) else old

        if name == "content-type":
            place = "postData" if is_request else "content"
            message = edit(message, [place, "mimeType"], emptied)
        if name == "location" and not is_request:
            message = edit(message, ["redirectURL"], emptied)
        if name == ("cookie" if is_request else "set-cookie"):
            message = edit(message, ["cookies"], lambda old: ("[", []) if isinstance(old, tuple) else old)
        return message

    def entry(value):
        value = edit(value, ["request"], lambda m: half(m, True))
        return edit(value, ["response"], lambda m: half(m, False))
    return entry


def with_field(name, value):
    """What `set 'NAME: VALUE'` must give where no response has that field."""
    def half(message):
        headers = member(message, "headers")
        if not isinstance(headers, tuple):
            return message

        def add(old):
            if old[1] and old[1][0][0] == "[":
                new = ("[", [f'"{name}"', f'"{value}"'])
            else:
                new = ("{", [('"name"', f'"{name}"'), ('"value"', f'"{value}"')])
                sample = old[1][0][1] if old[1] else other_sample(message)
                if sample and sample[0][0] == '"value"':
                    new = ("{", new[1][::-1])
            return ("[", old[1] + [new])
        message = edit(message, ["headers"], add)
        if isinstance(member(message, "headersSize"), str):
            message = edit(message, ["headersSize"],
                           lambda old: "-1" if re.fullmatch(r"-?\d+", old) else old)
        return message

    def other_sample(message):
        headers = member(with_field.request, "headers")
        return headers[1][0][1] if isinstance(headers, tuple) and headers[1] else None

    def entry(value):
        with_field.request = member(value, "request")
        return edit(value, ["response"], lambda m: half(m) if isinstance(m, tuple) else m)
    return entry


def names_in(documents):
    names = set()
    for document in documents:
        for entry in entries_of(document):
            for half in ("request", "response"):
                headers = member(member(entry, half), "headers")
                if isinstance(headers, tuple):
                    names |= {(header_name(e) or "").lower() for e in headers[1]}
    return sorted(n for n in names if re.fullmatch(r"[!#$%&'*+.^_`|~0-9a-z:-]+", n))


def laws(tally, path):
    data = path.read_bytes()
    plain = Run([str(path)])
    expected = REFUSED.get(path.name, 0)
    tally.check(f"{path.name}: exit {expected}", plain.status == expected, plain.err.decode())
    if path.name in UNREADABLE_ENTRY:
        for chain in (["remove", "*"], ["set", "X-Law: one"]):
            run = Run([*chain, str(path)])
            tally.check(f"{path.name}: an entry that cannot be read stays", run.out == data)
    if expected or not data:
        return
    if path.name not in MERGED:
        tally.check(f"{path.name}: the empty chain changes nothing", plain.out == data)
    documents = read(plain.out)
    names = names_in(documents)
    chosen = [n for n in names if n in ("set-cookie", "cookie", "content-type", "location", "user-agent")]
    chosen += [n for n in names if n not in chosen][::7]
    for name in chosen:
        run = Run(["remove", name, str(path)])
        wanted = [over_entries(d, without(name)) for d in documents]
        same = run.status == expected and read(run.out) == wanted
        tally.check(f"{path.name}: remove {name}", same, difference(read(run.out), wanted))
    run = Run(["set", "X-Law: one", str(path)])
    wanted = [over_entries(d, with_field("X-Law", "one")) for d in documents]
    tally.check(f"{path.name}: set X-Law", run.status == expected and read(run.out) == wanted,
                difference(read(run.out), wanted))
    again = Run(["remove", "x-law", "-f", "har"], run.out)
    tally.check(f"{path.name}: set, then remove", names_in(read(again.out)) == names)


def difference(a, b, path="$"):
    """Where two values part, for a person."""
    if a == b:
        return ""
    if type(a) is type(b) and isinstance(a, (list, tuple)) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            if x != y:
                label = a[0] if isinstance(a, tuple) and isinstance(a[0], str) and i == 1 else i
                return difference(x, y, f"{path}/{label}")
    return f"{path}: {clip(repr(a), 300)} instead of {clip(repr(b), 300)}"


def main():
    tally = Tally()
    files, real = corpus()
    if not real:
        tally.skip("real HAR files", "REHEAD_CORPUS is absent")
    for path in files:
        laws(tally, path)
    tally.close()


if __name__ == "__main__":
    main()
