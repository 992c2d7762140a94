"""Planted secrets: exchanges that hold canaries, in every format and spelling.

A canary is a unique value of letters that hardly any other text holds in a row. No two canaries share a run of 8
bytes, so a piece that is left over names its place. The places are the rows of redact_places.py.
"""

import base64
import json
import random

LETTERS = "jkqvxzJKQVXZ"
FORMATS = ("raw", "har", "ndjson")
CASES = ("title", "lower")
# How a value is written: as it is, %XX, \\u00XX in JSON, in a JSON text in a JSON string, in a base64 body, as one of
# two values joined by LF, in an array of values, in headers that are [name, value] pairs.
SPELLINGS = {"raw": "plain percent unicode json", "ndjson": "plain percent unicode json base64",
             "har": "plain percent unicode json base64 lf array pairs"}


class Canaries:
    """Makes canaries, and knows of each run of 8 bytes where it was planted."""

    def __init__(self, seed=11):
        self.random = random.Random(seed)
        self.places = {}   # run of 8 bytes: label
        self.kept = {}     # canary: words that stay beside it, where the exact replacement is not promised
        self.wholes = []   # texts that hold a canary and are hidden as one value

    def make(self, label, size=20, letters=LETTERS):
        while True:
            value = "".join(self.random.choices(letters, k=size))
            runs = [value[at:at + 8] for at in range(size - 7)]
            if len(set(runs)) == len(runs) and not any(run in self.places for run in runs):
                self.places.update(dict.fromkeys(runs, label))
                return value


class Members(list):
    """A JSON object as (name, value) pairs: names may repeat."""

    def put(self, name, value):
        self[:] = [(key, value if key == name else old) for key, old in self]
        if name not in [key for key, _ in self]:
            self.append((name, value))


def dump(value):
    if isinstance(value, Members):
        return "{" + ",".join(f"{json.dumps(key)}:{dump(one)}" for key, one in value) + "}"
    if isinstance(value, dict):
        return dump(Members(value.items()))
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def b64(text, url=False):
    coded = (base64.urlsafe_b64encode if url else base64.b64encode)(text.encode()).decode()
    return coded.rstrip("=") if url else coded


def unicode_escaped(text):
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


def percent(text):
    return "".join(f"%{byte:02X}" for byte in text.encode())


INNOCENT_REQUEST = [("Host", "a.example"), ("Accept", "text/html,*/*;q=0.8"), ("Accept-Language", "en-US,en;q=0.5"),
                    ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Chrome/103.0.5060.42"),
                    ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
                    ("If-None-Match", '"33a64df551425fcc55e4d42a148795d9f25f89d4"')]
INNOCENT_RESPONSE = [("ETag", '"33a64df551425fcc55e4d42a148795d9f25f89d4"'), ("Cache-Control", "max-age=3600, public"),
                     ("Date", "Wed, 21 Oct 2026 07:28:00 GMT"), ("Vary", "Accept-Encoding"), ("Server", "nginx/1.24.0"),
                     ("X-Request-Id", "7b7f7d5e-8d7c-4f0e-9d0b-3d3d8f1f2a11")]
TIME = "2024-01-01T00:00:00.000Z"


class Exchange:
    """One request and its response, built by a row of the table, written in one format and spelling."""

    def __init__(self, canaries, label, case="title", spelling="plain", shown="har"):
        self.canaries, self.label, self.case, self.spelling, self.format = canaries, label, case, spelling, shown
        self.values = []
        self.loose = None
        self.fields = {"request": [], "response": []}
        self.bodies = {}                # half: (type, text)
        self.address = "https://a.example/p?q=shoes&page=2&utm_source=mail"
        self.status = 200
        self.members = []               # (half or "entry", name, value, again)

    # What the rows use.
    def __call__(self, name):
        """The name in the case of this probe."""
        if self.case == "lower":
            return name.lower()
        return name if name != name.lower() or name.startswith(":") else name.title()

    def canary(self, size=20, letters=LETTERS):
        """A new one, always plain."""
        value = self.canaries.make(self.label, size, letters)
        self.values.append(value)
        return value

    @property
    def v(self):
        """A new canary in the spelling of this probe."""
        return percent(self.canary()) if self.spelling == "percent" else self.canary()

    def basic(self, user="anna"):
        pair = b64(f"{user}:{self.canary()}")
        self.canaries.wholes.append(pair)
        return pair

    def keep(self, *words):
        """The replacement is not promised to the byte: only these words stay."""
        self.loose = words

    def request(self, name, value):
        self.fields["request"].append((self(name), value))

    def response(self, name, value):
        self.fields["response"].append((self(name), value))

    def url(self, text, status=200):
        self.address, self.status = text, status

    def body(self, half, kind, text):
        if "json" in kind:
            text = text if isinstance(text, str) else dump(text)
            if self.spelling == "unicode":
                for value in self.values:
                    text = text.replace(value, unicode_escaped(value))
            if self.spelling == "json":
                text = dump({"kind": "note", "payload": text, "count": 2})
        self.bodies[half] = (kind, text)

    def post(self, kind, text):
        self.body("request", kind, text)

    def reply(self, kind, text):
        self.body("response", kind, text)

    def member(self, half, name, value, again=False):
        self.members.append((half, name, value, again))

    # The exchange as bytes.
    def headers(self, half):
        innocent = INNOCENT_REQUEST if half == "request" else INNOCENT_RESPONSE
        planted = self.fields[half]
        if self.spelling in ("lf", "array"):
            joined = {}
            for name, value in planted:
                joined.setdefault(name, []).append(value)
            planted = [(name, "\n".join(values) if self.spelling == "lf" else values) for name, values in joined.items()]
        typed = [("Content-Type", self.bodies[half][0])] if half in self.bodies else []
        return innocent[:3] + planted + innocent[3:] + typed

    def target(self):
        return self.address if "@" in self.address else self.address.removeprefix("https://a.example")

    def reason(self):
        return "Found" if self.status == 302 else "OK"

    def raw(self):
        out = ""
        for half in ("request", "response"):
            method = "POST" if "request" in self.bodies else "GET"
            out += f"{method} {self.target()} HTTP/1.1\r\n" if half == "request" else f"HTTP/1.1 {self.status} {self.reason()}\r\n"
            out += "".join(f"{name}: {value}\r\n" for name, value in self.headers(half))
            text = self.bodies.get(half, ("", ""))[1]
            if half in self.bodies or half == "response":
                out += f"Content-Length: {len(text.encode())}\r\n"
            out += "\r\n" + text
        return out

    def message(self, half):
        text = self.bodies.get(half, ("", ""))[1]
        start = {"method": "POST", "target": self.target()} if half == "request" else {"status": self.status, "reason": self.reason()}
        body = {"body64": b64(text)} if self.spelling == "base64" and text else {"body": text}
        length = [["Content-Length", str(len(text.encode()))]] if text else []
        return {"kind": half, "version": "HTTP/1.1", **start, "headers": [*map(list, self.headers(half)), *length], **body,
                "size": len(text.encode()), "trailers": [], "wire": {"framing": "length" if text or half == "response" else "none", "codings": []}}

    def ndjson(self):
        return dump({"kind": "exchange", "file": "probe", "entry": 1, "time": TIME, "ms": 1, "method": "POST", "url": self.address,
                     "status": self.status, "request": self.message("request"), "response": self.message("response")})

    def har(self):
        def headers(half):
            return [list(field) if self.spelling == "pairs" else {"name": field[0], "value": field[1]} for field in self.headers(half)]
        kind, text = self.bodies.get("response", ("text/plain", "hello"))
        content = {"size": len(text.encode()), "mimeType": kind, "text": text}
        if self.spelling == "base64":
            content |= {"text": b64(text), "encoding": "base64"}
        request = Members({"method": "POST", "url": self.address, "httpVersion": "HTTP/1.1", "cookies": [], "headers": headers("request"),
                           "queryString": [], "headersSize": -1, "bodySize": 0}.items())
        if "request" in self.bodies:
            request.append(("postData", {"mimeType": self.bodies["request"][0], "text": self.bodies["request"][1]}))
        response = Members({"status": self.status, "statusText": self.reason(), "httpVersion": "HTTP/1.1", "cookies": [],
                            "headers": headers("response"), "content": content, "redirectURL": "", "headersSize": -1, "bodySize": -1}.items())
        entry = Members({"startedDateTime": TIME, "time": 12.50, "request": request, "response": response, "cache": {},
                         "timings": {"send": 0, "wait": 12.50, "receive": 0}}.items())
        for half, name, value, again in self.members:
            place = {"request": request, "response": response, "entry": entry}[half]
            if again:
                place.append((name, value))
            else:
                place.put(name, value)
        return dump(entry)

    def bytes(self):
        text = getattr(self, self.format)()
        if self.spelling == "unicode" and self.format != "raw":
            for value in self.values:
                text = text.replace(value, unicode_escaped(value))
        return text.encode()


def document(form, exchanges):
    texts = [exchange.bytes() for exchange in exchanges]
    if form == "har":
        return b'{"log":{"version":"1.2","creator":{"name":"probe","version":"1"},"entries":[\n' + b",\n".join(texts) + b"\n]}}\n"
    return b"".join(texts) if form == "raw" else b"".join(text + b"\n" for text in texts)


def probes(canaries, places, form, case):
    """An exchange for each place and spelling that this format has."""
    for place, formats, spellings, plant in places:
        for spelling in dict.fromkeys(spellings.split()):
            if form in formats.split() and spelling in SPELLINGS[form].split():
                x = Exchange(canaries, (place, form, spelling, case), case, spelling, form)
                plant(x)
                if spelling in ("lf", "array"):
                    plant(x)
                if spelling == "base64" and form == "har" and "response" not in x.bodies:
                    continue  # postData has no base64
                canaries.kept.update(dict.fromkeys(x.values, x.loose) if x.loose is not None else {})
                yield x
