#!/usr/bin/env python3
"""The halves of an exchange are two messages: `-s both` gives what `-s request` and then `-s response` give.

Every verb that changes messages is run over HAR, NDJSON and raw HTTP. The verbs come from `rehead help`, so a new one
fails here until it has a row.
"""

import json

from harness import Run, Tally, clip

# verb: the ways to call it
CHANGING = {
    "set": [["X-New: 1"], ["content-type: text/x"], [":version: HTTP/1.0"]], "add": [["X-A: 9"]], "remove": [["x-a"], ["content-*"]],
    "keep": [["content-type"]], "rename": [["x-a=X-B"]],
    "sub": [["x-a:/1/7/"], [":body:/e/EE/"], [":body:/$/x/"], [":path:/a/b/"], [":reason:/O/0/"], [":version:/1.1/1.0/"]],
    "sort": [[]], "lower": [[]], "join": [["*"]], "strip-hop": [[]], "redact": [[], ["--text"]],
    "merge-cookies": [[]], "split-cookies": [[]], "remove-cookie": [["sid"], ["*"]],
    "set-cookie": [["sid=9"], ["*; Secure"]],
    "content-length": [[]], "content-type": [["text/x"], ["--force", "text/x"]],
    "dechunk": [[], ["--trailers", "merge"]], "chunk": [[], ["--size", "3"]], "inflate": [[]], "gzip": [[], ["--force"]],
    "deflate": [["--types", "all"]], "br": [["--types", "all"]], "zstd": [["--types", "all", "--min", "20"]],
    "etag": [[]], "body": [["NEW"], [""]], "drop-body": [[]],
}
# What chooses, asserts or reports changes nothing.
OTHERS = {"where", "first", "last", "nth", "test", "get", "log", "names", "count", "lint"}


def verbs():
    text = Run(["help"]).out.decode()
    text = text[text.index("verbs (rehead help VERB)"):text.index("\noptions (")]
    found = set()
    for line in text.splitlines()[1:]:
        for one in line[20:].split(","):
            word = one.split(" ")[1] if one.startswith(" ") else one.split(" ")[0]
            if word.isalpha() or "-" in word.strip("-"):
                found.add(word)
    return {word for word in found if word.islower()}


def header(name, value):
    return {"name": name, "value": value}


def entry(request, response, request_headers=(), response_headers=(), mime="text/plain"):
    half = [header("X-A", "1"), header("X-A", "2"), header("Connection", "x-a"), header("Content-Type", mime)]
    made = {"startedDateTime": "2024-01-01T00:00:00Z", "time": 1,
            "request": {"method": "POST", "url": "https://a.example/a?q=1", "httpVersion": "HTTP/1.1", "cookies": [],
                        "headers": half + [header("Cookie", "sid=1; b=2"), *request_headers], "queryString": []},
            "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [],
                         "headers": half + [header("Set-Cookie", "sid=1; Path=/"), *response_headers],
                         "content": {"size": 0, "mimeType": mime}, "redirectURL": ""}}
    if request is not None:
        made["request"]["postData"] = {"mimeType": mime, "text": request}
        made["request"]["headers"].append(header("Content-Length", str(len(request))))
    if response is not None:
        made["response"]["content"] = {"size": len(response), "mimeType": mime, "text": response}
        made["response"]["headers"].append(header("Content-Length", str(len(response))))
    return made


ENTRIES = [
    entry("the request's body, " * 3, "some text of the response, " * 3),
    entry("a=1&b=e", None), entry(None, "yes"), entry("", "x" * 3000), entry("e" * 3000, ""), entry(None, None),
    entry("requests", "responses", [header("Content-Encoding", "gzip")], [header("Content-Encoding", "br")]),
]
HAR = json.dumps({"log": {"version": "1.2", "entries": ENTRIES}}).encode()
RAW = b"".join([
    b"POST /a HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nContent-Type: text/plain\r\nCookie: sid=1; b=2\r\nContent-Length: 9\r\n\r\n",
    b"the bytes",
    b"HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Type: text/plain\r\nSet-Cookie: sid=1\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"6\r\nthe re\r\n7\r\nsponses\r\n0\r\nX-T: 1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: h\r\n\r\nHTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n",
])


def main():
    tally = Tally()
    inputs = {"HAR": HAR, "raw": RAW, "NDJSON": Run(["--json"], HAR).out}
    inputs["recorded gzip as raw"] = Run(["-s", "both", "gzip"], RAW).out
    known = verbs()
    tally.check("the verbs are read from help", {"set", "gzip", "drop-body"} <= known, known)
    for verb in sorted(known - OTHERS):
        ways = CHANGING.get(verb)
        tally.check(f"{verb} has a row here", ways is not None)
        for name, data in inputs.items():
            for way in ways or []:
                both = Run(["-s", "both", verb, *way], data)
                first = Run(["-s", "request", verb, *way], data)
                second = Run(["-s", "response", verb, *way], first.out)
                what = f"{name}: -s both {verb} {' '.join(way)}"
                tally.check(what, both.out == second.out and both.status == max(first.status, second.status),
                            f"exit {both.status}: {clip(both.out)}\nexit {first.status}, {second.status}: "
                            f"{clip(second.out)}\n{clip(both.err)}")
    tally.close()


if __name__ == "__main__":
    main()
