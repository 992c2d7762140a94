"""What `redact` is held to: no piece of a canary is left in any spelling, and nothing else has changed."""

import base64
import binascii
import json
import re
from urllib.parse import unquote_to_bytes

from harness import Run, clip

RUN = re.compile(rb"[jkqvxzJKQVXZ]{8,}")
SPELT = re.compile(r"[jkqvxzJKQVXZ]{12,}|(?:%[4-7][0-9A-Fa-f]){12,}|(?:\\+u00[4-7][0-9a-fA-F]){12,}")
PSEUDONYM = re.compile(r"\b[a-z][a-z_-]*(?::|%3[Aa])[0-9a-f]{16}(?![0-9a-f])")
CODED = re.compile(rb"[A-Za-z0-9+/_-]{16,}={0,2}")
ESCAPE = re.compile(rb"\\+(u[0-9a-fA-F]{4}|[\"\\/nrtbf])")
# Strings, numbers, words, white space, anything else: one token each.
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[A-Za-z]+|\s+|.', re.S)
# What follows from a body that became shorter or longer.
SIZES = {"headersSize", "bodySize", "size", "compression", "_transferSize"}


def unescaped(data):
    def one(match):
        code = match[1]
        return chr(int(code[1:], 16)).encode("utf-8", "replace") if code[:1] == b"u" else b" " if code in b"nrtbf" else code
    return ESCAPE.sub(one, data)


def debased(data):
    """All that may be base64, decoded: from any start in a run, and also where a JSON string wraps its lines."""
    out = []
    for text in {data, re.sub(rb"(\\r)?\\n", b"", data)}:
        for run in CODED.findall(text):
            plain = run.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
            for start in range(4):
                piece = plain[start:]
                piece = piece[:len(piece) - (len(piece) % 4 == 1)]
                try:
                    out.append(base64.b64decode(piece + b"=" * (-len(piece) % 4)))
                except binascii.Error:
                    pass
    return b"\n".join(out)


def views(data, depth=3):
    """The data in each way it may be read, decoded up to that often: each word once."""
    data = b"\n".join(dict.fromkeys(re.split(rb'["\s]+', data)))
    seen, fresh = {data}, [data]
    for _ in range(depth):
        made = {form(view) for view in fresh for form in (unquote_to_bytes, unescaped, debased)} - seen - {b""}
        seen |= made
        fresh = list(made)
    return seen


def left(data, canaries):
    """Labels of the canaries of which 8 bytes in a row can be read in the data."""
    found = set()
    for view in views(data):
        for run in set(RUN.findall(view)):
            text = run.decode()
            found.update(canaries.places[text[at:at + 8]] for at in range(len(text) - 7) if text[at:at + 8] in canaries.places)
    return found


def readable(data):
    """Runs of the letters of canaries that can be read in the data."""
    return {run.decode() for view in views(data, 2) for run in RUN.findall(view)}


def hidden(text, canaries):
    """The text as it must be after redact."""
    for whole in canaries.wholes:
        text = text.replace(whole, "REDACTED") if whole in text else text
    return SPELT.sub("REDACTED", text)


def decoded(text):
    try:
        return base64.b64decode(text, validate=True).decode()
    except ValueError:
        return None


def string(token):
    return json.loads(token.decode("utf-8", "surrogateescape"), strict=False)


def same_but_hidden(old, new, canaries):
    """True if the string `new` is `old` with its secrets hidden, directly or inside base64."""
    new = PSEUDONYM.sub("REDACTED", new)
    if hidden(old, canaries) == new:
        return True
    inner = decoded(old), decoded(new)
    if inner[0] is not None and inner[1] is not None and hidden(inner[0], canaries) == PSEUDONYM.sub("REDACTED", inner[1]):
        return True
    loose = [canaries.kept[value] for value in readable(old.encode("utf-8", "surrogateescape")) if value in canaries.kept]
    shown = new if inner[1] is None else new + inner[1]
    return bool(loose) and all(word in shown for words in loose for word in words)


def differences(old, new, may_differ, may_hide_number=lambda name: True):
    """Places where two JSON texts differ in more than strings that `may_differ(old, new)` and numbers that became strings.

    Token by token in the bytes: white space, order, spelling of numbers and names count, and broken JSON can be compared.
    """
    if old == new:
        return []
    olds, news = TOKEN.findall(old), TOKEN.findall(new)
    if len(olds) != len(news):
        at = next((i for i, (a, b) in enumerate(zip(olds, news)) if a != b and a[:1] + b[:1] != b'""'), 0)
        return [f"{len(olds)} tokens became {len(news)}: {b''.join(olds[at - 6:at + 6])[:300]} / {b''.join(news[at - 6:at + 6])[:300]}"]
    wrong, name, recent = [], "", []
    for at, (a, b) in enumerate(zip(olds, news)):
        is_string = a[:1] == b'"' and len(a) > 1
        is_name = is_string and b":" in (b"".join(olds[at + 1:at + 3]).lstrip()[:1])
        if is_string:
            recent = [*recent[-3:], a.lower()]
        if a != b:
            where = f"under {name!r}: {a[:300]} became {b[:300]}"
            if is_name:
                wrong.append("a name, " + where)
            elif is_string and b[:1] == b'"':
                length = b'"content-length"' in recent and a[1:-1].isdigit() and b[1:-1].isdigit()
                if not length and not may_differ(string(a), string(b)):
                    wrong.append(where)
            elif not is_number_change(a, b, name, may_hide_number):
                wrong.append(where)
        if is_name:
            name = string(a)
    return wrong


def is_number_change(old, new, name, may_hide):
    if name in SIZES:
        return re.fullmatch(rb"-?[0-9]+", new) is not None
    scalar = re.fullmatch(rb"-?[0-9].*|true|false", old) is not None
    return scalar and new[:1] == b'"' and may_hide(name) and re.fullmatch("REDACTED", PSEUDONYM.sub("REDACTED", string(new))) is not None


def body_as_text(line):
    """A line of NDJSON with its body64 as body: a redacted body that is text is written as text."""
    def one(match):
        text = base64.b64decode(match[1]).decode("utf-8", "surrogateescape")
        return b'"body":' + json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogateescape")
    return re.sub(rb'"body64":"([A-Za-z0-9+/=]*)"', one, line)


def comparable(form, data):
    """JSON of the document, for a comparison token by token. Raw HTTP is read by the program itself."""
    if form == "raw":
        read = Run(["--json"], data)
        return read.out if read.status == 0 else b""
    return body_as_text(data) if form == "ndjson" else data


def shown(labels, most=8):
    return "\n".join(" / ".join(label) for label in sorted(labels)[:most]) + f"\n({len(labels)} in all)" * (len(labels) > most)


def changes(form, old, new, canaries):
    return differences(comparable(form, old), comparable(form, new), lambda a, b: same_but_hidden(a, b, canaries))


def well_formed(form, data):
    """Empty, or what is wrong."""
    try:
        if form == "har":
            json.loads(data)
        elif form == "ndjson":
            [json.loads(line) for line in data.splitlines()]
        else:
            read = Run(["--strict", "--check"], data)
            return "" if read.status == 0 and not read.err else f"exit {read.status}: {clip(read.err)}"
    except ValueError as wrong:
        return str(wrong)
    return ""


def count(form, data):
    return Run(["count"], data).out if form == "raw" else len(json.loads(data)["log"]["entries"]) if form == "har" else data.count(b"\n")


def difference(old, new):
    at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    return f"byte {at} of {len(old)} and {len(new)}: {clip(old[max(0, at - 80):at + 80])}\n{clip(new[max(0, at - 80):at + 80])}"


def codes(err):
    """True if each line is an object with a code."""
    try:
        lines = [json.loads(line) for line in err.splitlines()]
    except ValueError:
        return False
    return bool(lines) and all(isinstance(line, dict) and line.get("code") and line.get("text") is not None for line in lines)
