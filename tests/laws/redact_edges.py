"""Laws of redact beside the table of places: awkward names and values, what cannot be read, options, coded bodies."""

import gzip
import json

from harness import Run, clip
from redact_judge import codes, difference, left, shown, well_formed
from redact_places import FORM, JSON, multipart, pair
from redact_probe import FORMATS, Canaries, Exchange, b64, document, dump, percent

# Names that mean something in a regular expression, and what may stand around a secret in its value.
AWKWARD_NAMES = ["a+b", "c^d", "e.f", "g$h", "i|j", "k'l"]
AWKWARD = ['"', "\\", "{", "}", "^", "$", "\u00e9", "\u2028", "\U0001f511", "\\u0022", "'", "<", "%", "\x7f", "\t"]


# Entries that cannot be read: name, whether all of it must go, which member is what.
BAD = [("headers a string", True, ("request", "headers", "X-Api-Key: %s")), ("headers a number", True, ("response", "headers", 5)),
       ("request a string", True, ("entry", "request", "GET /?token=%s")), ("headers an object", False, ("request", "headers", {"X-Api-Key": "%s"})),
       ("headers of strings", False, ("request", "headers", ["X-Api-Key: %s"])), ("response an array", False, ("entry", "response", ["%s"])),
       ("cookies a string", False, ("request", "cookies", "sid=%s")), ("queryString a string", False, ("request", "queryString", "token=%s")),
       ("queryString an object", False, ("request", "queryString", {"token": "%s"})), ("url an array", False, ("request", "url", ["https://a.example/?token=%s"])),
       ("postData a string", False, ("request", "postData", "password=%s")), ("content a string", False, ("response", "content", '{"token":"%s"}')),
       ("params an object", False, ("request", "postData", {"mimeType": FORM, "params": {"password": "%s"}})),
       ("a cookie of pairs", False, ("request", "cookies", [["sid", "%s"]]))]


def har(x):
    return document("har", [x])


def awkward(tally):
    """Names with regex signs and values with quotes, backslashes, braces, non-ASCII: gone, and the JSON is valid."""
    canaries, exchanges = Canaries(), []
    for name in AWKWARD_NAMES:
        for plant in (lambda x: x.request(name, x.v), lambda x: x.post(JSON, {name: x.v, "q": "shoes"}),
                      lambda x: x.url(f"https://a.example/p?q=1&{percent(name)}={x.v}"), lambda x: x.request("Cookie", f"{name}={x.v}"),
                      lambda x: x.post(*multipart((name, x.v))), lambda x: x.member("request", "queryString", [pair(name, x.v)])):
            exchanges.append(Exchange(canaries, ("name", name), "title", "plain", "har"))
            plant(exchanges[-1])
    for sign in AWKWARD:
        for plant in (lambda x, v: x.post(JSON, {"password": v, "q": "shoes"}), lambda x, v: x.request("X-Api-Key", v),
                      lambda x, v: x.post(JSON, dump({"data": dump({"token": v})})), lambda x, v: x.post(FORM, f"q=1&token={percent(v)}"),
                      lambda x, v: x.post(*multipart(("password", v))), lambda x, v: x.member("request", "cookies", [pair("sid", v)]),
                      lambda x, v: x.member("request", "queryString", [pair("token", v)]), lambda x, v: x.reply(JSON, {"token": v})):
            x = Exchange(canaries, ("value", repr(sign)), "title", "plain", "har")
            plant(x, f"{x.canary()}{sign}{x.canary()}{sign}")
            exchanges.append(x)
    data = document("har", exchanges)
    run = Run(["redact", "--text", "--also", ",".join(AWKWARD_NAMES)], data)
    found = left(run.out or data, canaries)
    tally.check("awkward names and values: 0 left", run.status == 0 and not found, f"exit {run.status}: {clip(run.err)}\n{shown(found)}")
    wrong = well_formed("har", run.out)
    tally.check("awkward names and values: valid JSON", not wrong, wrong)
    texts = [] if wrong else [entry["request"].get("postData", {}) for entry in json.loads(run.out)["log"]["entries"]]
    broken = [text for text in texts if text.get("mimeType") == JSON and not valid(text["text"])]
    tally.check("awkward names and values: valid JSON inside", texts and not broken, broken[:3])


def valid(text):
    try:
        return json.loads(text) is not None
    except ValueError:
        return False


def scalars(tally):
    """Numbers and booleans under a secret name become strings, in the document and in a body; null may stay."""
    x = Exchange(Canaries(), ("number",))
    x.post(JSON, '{"password":1234567890,"token":true,"pin":1,"n":1.50,"client_secret":-1e5}')
    x.member("request", "queryString", [pair("token", 1234567890), pair("page", 2)])
    x.member("request", "headers", [pair("X-Api-Key", 1234567890), pair("X-N", 1.50)])
    run = Run(["redact"], har(x))
    entry = json.loads(run.out or har(x))["log"]["entries"][0]["request"]
    body = json.loads(entry["postData"]["text"])
    tally.check("numbers under a secret name become strings", body == {"password": "REDACTED", "token": "REDACTED", "pin": 1, "n": 1.5, "client_secret": "REDACTED"}, body)
    pairs = entry["queryString"] + entry["headers"]
    wanted = [pair("token", "REDACTED"), pair("page", 2), pair("X-Api-Key", "REDACTED"), pair("X-N", 1.5)]
    tally.check("also as the value of a pair", pairs == wanted and b"1.50" in run.out, pairs)
    short = Exchange(Canaries(), ("short",))
    short.request("Cookie", "a=Zq7; b=; c")
    short.post(JSON, {"password": "Zq7", "token": ""})
    run = Run(["redact"], har(short))
    tally.check("short values are hidden by their name", run.status == 0 and run.out and b"Zq7" not in run.out, clip(run.out))


def unreadable(tally):
    """What cannot be read: an entry is dropped (exit 3), a text is hidden whole; nothing of either is shown."""
    for name, dropped, (half, key, value) in BAD:
        canaries = Canaries()
        good = [Exchange(canaries, ("good",)) for _ in range(2)]
        bad = Exchange(canaries, ("bad entry", name))
        bad.request("X-Api-Key", bad.v)
        bad.member(half, key, json.loads(json.dumps(value).replace("%s", bad.canary())))
        for options in ([], ["--errors", "json"], ["-v"]):
            run = Run([*options, "redact"], document("har", [good[0], bad, good[1]]))
            found = left(run.out + run.err, canaries) or not valid(run.out)
            kept = found or json.loads(run.out)["log"]["entries"] == json.loads(document("har", good))["log"]["entries"]
            tally.check(f"{name}: {'dropped, exit 3' if dropped else 'nothing left'} {' '.join(options)}".rstrip(),
                        not found and (kept and run.status == 3 and run.err if dropped else run.status in (0, 3)), f"exit {run.status}: {clip(run.err)}\n{clip(run.out)}")
            if "json" in options:
                tally.check(f"{name}: diagnostics are JSON", not run.err or codes(run.err), clip(run.err))
    entries = ["5", '"%s"', '["%s"]']
    canaries = Canaries()
    good = Exchange(canaries, ("good",))
    for entry in entries:
        entry = entry.replace("%s", canaries.make(("entry", entry)))
        run = Run(["redact"], document("har", [good]).replace(b"\n]}}", (",\n" + entry + "\n]}}").encode()))
        tally.check(f"an entry that is {entry[:3]}: dropped, exit 3", run.status == 3 and valid(run.out) and len(json.loads(run.out)["log"]["entries"]) == 1
                    and not left(run.out + run.err, canaries), f"exit {run.status}: {clip(run.out)}")
    canaries = Canaries()
    x = Exchange(canaries, ("broken JSON",))
    x.post(JSON, f'{{"q":"shoes","password":"{x.v}", oops')
    run = Run(["redact"], har(x))
    text = json.loads(run.out or har(x))["log"]["entries"][0]["request"]["postData"]["text"]
    tally.check("a body that is no JSON is hidden whole, with a warning", run.status == 0 and text == "REDACTED" and b"warning" in run.err, f"{text!r} {clip(run.err)}")
    for form, data in (("har", har(x)), ("raw", document("raw", [raw_secret(canaries)])), ("ndjson", b'{"kind":"request","headers":[["X-Api-Key","%s"]\n' % canaries.make(("cut",)).encode())):
        for cut in range(40, len(data), 97):
            run = Run(["-v", "redact", "--text"], data[:cut])
            found = left(run.out + run.err, canaries)
            if run.status not in (0, 3) or found:
                tally.check(f"{form} cut at {cut}", False, f"exit {run.status}: {clip(run.err)}\n{shown(found)}")
        tally.check(f"{form} cut anywhere was tried", True)


def raw_secret(canaries):
    x = Exchange(canaries, ("cut raw",), "title", "plain", "raw")
    x.request("Authorization", f"Bearer {x.v}")
    x.response("Set-Cookie", f"a={x.v}")
    x.reply(JSON, {"token": x.v, "q": "shoes"})
    return x


def choices(tally):
    """--also, --only, --keep, --match, --pii."""
    def hides(name, words, plant, gone, stays=()):
        x = Exchange(Canaries(), (name,))
        plant(x)
        run = Run(["redact", *words], har(x))
        wrong = [word for word in gone if word.encode() in run.out] + [word for word in stays if word.encode() not in run.out]
        tally.check(f"{name}: {' '.join(words)}", run.status == 0 and run.out and not wrong, f"exit {run.status}: {clip(run.err)}\n{wrong}")

    def several(x):
        x.request("X-Shop", "value-one")
        x.request("X-Api-Key", "value-two")
        x.request("Cookie", "sid=value-three; shop=value-four")
        x.url("https://a.example/p?shop=value-five&token=value-six")

    ones = [f"value-{name}" for name in "one two three four five six".split()]
    hides("as it is", [], several, ones[1:4] + ones[5:], [ones[0], ones[4]])
    hides("more names, any case", ["--also", "X-SHOP,shop"], several, ones)
    hides("a glob", ["--also", "x-*"], several, ones[:4] + ones[5:], [ones[4]])
    hides("these alone", ["--only", "x-shop"], several, ones[:1], ones[1:])
    hides("kept", ["--keep", "x-api-key,token"], several, ones[2:4], [ones[0], ones[1], ones[4], ones[5]])
    text = "order T-4711 and t-4712 of T-47"
    matching = ["--match", "T-[0-9]{4}"]
    hides("a pattern in a body", matching, lambda x: x.post("text/plain", text), ["T-4711"], ["t-4712", "T-47"])
    hides("a pattern in JSON", matching, lambda x: x.post(JSON, {"note": text}), ["T-4711"], ["t-4712"])
    hides("a pattern in a field", matching, lambda x: x.request("X-Note", text), ["T-4711"], ["t-4712"])
    hides("a pattern in a URL", matching, lambda x: x.url("https://a.example/p/T-4711?q=T-4712"), ["T-4711", "T-4712"], ["/p"])
    hides("a pattern in a comment", matching, lambda x: x.member("entry", "comment", text), ["T-4711"], ["t-4712"])
    run = Run(["redact", "--match", "a("], b"")
    tally.check("a broken pattern is a usage error", run.status == 2, clip(run.err))
    persons = ["anna.b@shop.example", "203.0.113.7", "2001:db8::7:1"]
    note = f"mail {persons[0]} from {persons[1]} or [{persons[2]}] at 12:30:45, 1.2.3, 10.0 and 300.1.2.3"
    innocent = ["12:30:45", "1.2.3,", "10.0", "300.1.2.3", "103.0.5060.42"]
    for name, plant in (("a body", lambda x: x.post("text/plain", note)), ("JSON", lambda x: x.post(JSON, {"n": note})), ("a field", lambda x: x.request("X-Note", note)),
                        ("serverIPAddress", lambda x: (x.member("entry", "serverIPAddress", persons[1]), x.member("entry", "comment", note)))):
        hides(f"persons in {name}", ["--pii"], plant, persons, innocent)
        hides(f"persons in {name} stay without it", [], plant, [], persons)
    hides("a person in a query", ["--pii"], lambda x: x.url(f"https://a.example/p?q={percent(persons[0])}"), ["%61%6E%6E%61"])
    listed = Run(["redact", "--list-rules"])
    tally.check("--list-rules lists the names", listed.status == 0 and b"proxy" in listed.out.lower() and len(listed.out.splitlines()) > 10, clip(listed.out))


def innocent(tally):
    """What holds no secret is not touched, and --check says so."""
    for form in FORMATS:
        x = Exchange(Canaries(), ("innocent",), "title", "plain", form)
        for name, value in (("Accept-Encoding", "gzip, deflate, br"), ("Origin", "https://a.example"), ("Referer", "https://a.example/p?q=1"),
                            ("X-Request-Id", "9f86d081884c7d659a2feaa0c55ad015"), ("Sec-CH-UA", '"Chromium";v="103"'), ("Range", "bytes=0-99"),
                            ("If-Modified-Since", "Wed, 21 Oct 2026 07:28:00 GMT"), ("Sec-WebSocket-Version", "13"), ("X-Keyboard", "qwertyuiop"),
                            ("Authority-Info", "monkeybusiness"), ("Access-Control-Allow-Headers", "authorization, x-api-key, cookie")):
            x.request(name, value)
        for name, value in (("Content-Security-Policy", "script-src 'sha256-9f86d081884c7d659a2feaa0c55ad015' https://a.example"), ("Allow", "GET"),
                            ("WWW-Authenticate", 'Bearer realm="a", error="invalid_token"'), ("Strict-Transport-Security", "max-age=31536000"),
                            ("Location", "/p?q=shoes&page=2"), ("Vary", "Cookie, Authorization"), ("Last-Modified", "Wed, 21 Oct 2026 07:28:00 GMT")):
            x.response(name, value)
        x.url("https://a.example/p/7b7f7d5e-8d7c-4f0e-9d0b-3d3d8f1f2a11?q=shoes&page=2&utm_source=mail&size=10&lang=en&v=1.2.3")
        x.post(JSON, {"author": "Anna", "monkey": 5, "tokens_used": 12, "keyboard": "de", "page": 2, "ok": True, "when": "2026-10-21T07:28:00Z", "id": "7b7f7d5e-8d7c-4f0e-9d0b-3d3d8f1f2a11"})
        x.reply(JSON, {"token_type": "Bearer", "expires_in": 3600, "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "text": "Basic training for bearer dogs"})
        data = document(form, [x] * 3)
        run, check = Run(["redact", "--text"], data), Run(["--check", "redact", "--text"], data)
        tally.check(f"{form}: what is no secret is not touched", run.status == 0 and run.out == data, difference(data, run.out))
        tally.check(f"{form}: --check has nothing to say", check.status == 0 and not check.err, f"exit {check.status}: {clip(check.err)}")


def coded(tally):
    """Bodies under a content coding or in chunks: opened with --text, else not touched, and framed true."""
    canaries = Canaries()
    secret = canaries.make(("coded body",))
    text = dump({"q": "shoes", "token": secret}).encode()
    cut = text.index(secret.encode()) + 9
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (text[:cut], text[cut:])) + b"0\r\n"
    head = b"Content-Type: application/json\r\n"
    packed = gzip.compress(text, mtime=0)
    samples = {
        "gzip": head + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed) + packed,
        "chunked": head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"\r\n",
        "chunked gzip": head + b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % len(packed) + packed + b"\r\n0\r\n\r\n",
        "close-delimited": head + b"\r\n" + text,
    }
    for name, body in samples.items():
        for start, options in ((b"HTTP/1.1 200 OK\r\n", ["--text"]), (b"POST / HTTP/1.1\r\nHost: a.example\r\n", [])):
            if name == "close-delimited" and start[:4] == b"POST":
                continue
            run = Run(["redact", *options], start + body)
            opened = Run(["inflate", "then", "dechunk"], run.out)
            found = left(run.out + run.err + opened.out, canaries)
            tally.check(f"{name}, {start[:4].decode()}: 0 left", run.status == 0 and opened.status == 0 and b"shoes" in opened.out and not found, f"exit {run.status}: {clip(run.out)}")
            wrong = well_formed("raw", run.out)
            tally.check(f"{name}, {start[:4].decode()}: framed true", run.out and not wrong, wrong)
        plain = b"HTTP/1.1 200 OK\r\n" + body
        tally.check(f"{name}: a response body stays without --text", Run(["redact"], plain).out == plain)
    trailer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Api-Key\r\n\r\n2\r\nhi\r\n0\r\nX-Api-Key: %s\r\n\r\n" % secret.encode()
    run = Run(["redact"], trailer)
    tally.check("a trailer is a field", run.status == 0 and run.out == trailer.replace(secret.encode(), b"REDACTED"), clip(run.out))
    x = Exchange(canaries, ("wrapped base64",))
    inner = b64(dump({"q": "shoes" * 30, "token": x.canary()}))
    wrapped = "\r\n".join(inner[at:at + 60] for at in range(0, len(inner), 60))
    x.member("response", "content", {"size": 9, "mimeType": JSON, "text": wrapped, "encoding": "base64"})
    y = Exchange(canaries, ("not base64",))
    y.member("response", "content", {"size": 9, "mimeType": JSON, "text": dump({"token": y.canary()}), "encoding": "base64"})
    image = Exchange(canaries, ("image",))
    image.member("response", "content", {"size": 9, "mimeType": "image/png", "text": b64("\x89PNG not a text"), "encoding": "base64"})
    data = document("har", [x, y, image])
    run = Run(["redact", "--text"], data)
    tally.check("base64 in lines, and a base64 flag over none: 0 left", run.status == 0 and run.out and not left(run.out + run.err, canaries), clip(run.out))
    tally.check("an image stays", b64("\x89PNG not a text").encode() in run.out)


LAWS = (awkward, scalars, unreadable, choices, innocent, coded)
