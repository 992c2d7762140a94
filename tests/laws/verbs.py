#!/usr/bin/env python3
"""Laws that hold for every verb and for random chains of verbs, over captures, HAR files and NDJSON.

  settled    output read again by the empty chain is the same bytes, messages, fields and bodies
  valid      HAR output is JSON
  there      NDJSON and back gives the same messages
  reads      how the input is cut into reads, gzip around it, and -j change nothing
  hostile    NDJSON that claims anything at all never becomes falsely framed HTTP

A verb that the table of verbs lists and SAMPLES lacks fails the first check: a new verb takes part from its first day.
The random choices are seeded: a failure comes again. REHEAD_LAW_CHAINS sets their number."""

import base64
import fcntl
import gzip
import json
import os
import pathlib
import random
import struct
import subprocess
import termios
import time

from harness import CAPTURES, ENVIRONMENT, ROOT, Run, Tally, clip, program, scratch

CHAINS = int(os.environ.get("REHEAD_LAW_CHAINS", "1000"))

# Arguments for every verb; each list is one way to call it.
CHANGING = {
    "remove": [["content-type"], ["x-*,server"]],
    "keep": [["content-*,set-cookie,cookie,location"]],
    "rename": [["server=X-Server"], ["x-a=X-B"]],
    "sub": [["server:/e/E/"], [":body:/e/Ee/"], [":body:/(?i)the|a//"]],
    "sort": [[]],
    "lower": [[]],
    "join": [["*"]],
    "strip-hop": [[]],
    "redact": [[], ["--text"], ["--pii"]],
    "set": [["X-Law: 1"], ["Content-Type: text/x-law"], ["Content-Length: 7"]],
    "add": [["X-Law: 2"], ["Set-Cookie: law=1"]],
    "merge-cookies": [[]],
    "split-cookies": [[]],
    "remove-cookie": [["a,sid"], ["*"]],
    "set-cookie": [["sid=9; Path=/"], ["*; SameSite=None; Secure"]],
    "content-length": [[]],
    "content-type": [["text/html"]],
    "dechunk": [[], ["--trailers", "merge"]],
    "chunk": [[], ["--size", "5"]],
    "inflate": [[]],
    "gzip": [[], ["--types", "all"]],
    "deflate": [["--types", "all"]],
    "br": [["--types", "all"]],
    "zstd": [["--types", "all"]],
    "etag": [[]],
    "body": [["new text"], [""]],
    "drop-body": [[]],
}
CHOOSING = {
    "where": [["not status=404"]],
    "first": [["2"]],
    "last": [[]],
    "nth": [["1,3"]],
}
ANSWERING = {
    "test": [["has:server"], ["--any", "status=200"], ["body ~ a"], ["url ~ a"]],
    "get": [["server,:url,cookie:a"], ["--row", "x,:status"]],
    "log": [[], ["--format", "json"], ["--format", "combined"]],
    "names": [[]],
    "count": [[]],
    "lint": [[]],
}

# Fields that frame or describe the body: they may be spelt otherwise where the bytes are the same.
FRAMING = {"content-length", "transfer-encoding", "trailer"}


def calls(table):
    return [[verb, *arguments] for verb, ways in table.items() for arguments in ways]


def joined(steps):
    words = []
    for step in steps:
        words += (["then"] if words else []) + step
    return words


def raw_inputs():
    samples = (ROOT / "examples" / "data").glob("*.http")
    return [path for path in [*sorted(CAPTURES.glob("*.out")), *sorted(CAPTURES.glob("*.wire")), *sorted(samples)]]


def har_inputs():
    made = sorted((ROOT / "tests" / "data" / "har").glob("*/*"))
    files = [*made, *sorted((ROOT / "examples" / "data").glob("*.har"))]
    shared = pathlib.Path(os.environ.get("REHEAD_CORPUS", ROOT.parent / "shared"))
    real = [path for path in sorted((shared / "har" / "real").glob("*.har")) if path.stat().st_size < 300_000]
    return [path for path in files if path.stat().st_size < 3_000_000], real


def lines(run):
    return [json.loads(line) for line in run.out.splitlines()]


def same_shape(message):
    """What a message is, apart from where it was read and how it was framed."""
    if message.get("kind") == "exchange":
        halves = {half: same_shape(message[half]) for half in ("request", "response") if message.get(half)}
        named = {name: message.get(name) for name in ("entry", "method", "url")}
        named["status"] = message.get("status") or 0  # a HAR needs a number: none becomes 0
        return named | {"time": message.get("time") or "", "ms": message.get("ms") or 0} | halves
    wire = message["wire"]
    dropped = FRAMING | (set() if wire["codings"] else {"content-encoding"})
    fields = [field for field in message["headers"] if field[0].lower() not in dropped]
    kept = {name: message.get(name) for name in ("kind", "version", "method", "target", "reason")}
    kept["status"] = message.get("status") or 0
    if message.get("status") != 205:  # raw HTTP has no body there
        kept |= {"body": message.get("body") or "", "body64": message.get("body64")}
    if wire["framing"] == "chunked" and message["trailers"]:  # nothing else can carry them
        kept["trailers"] = message["trailers"]
    return kept | {"headers": fields}


def verbs_have_samples(tally):
    listed = {line.split("\t")[0] for line in Run(["__complete", "lower", "then", ""]).out.decode().splitlines()}
    known = set(CHANGING) | set(CHOOSING) | set(ANSWERING)
    tally.check("every verb has a sample here", listed and listed <= known, sorted(listed - known))


def difference(expected, seen):
    for number, (a, b) in enumerate(zip(expected.splitlines(), seen.splitlines()), 1):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            return f"line {number}: {clip(a[max(0, at - 60):at + 80])}\n    now {clip(b[max(0, at - 60):at + 80])}"
    return f"{len(expected)} bytes, now {len(seen)}"


def is_json(data):
    text = data.decode("utf-8", "surrogateescape").lstrip("\ufeff").rstrip("\0 \r\n\t")
    try:
        json.loads(text, strict=False)
        return True
    except (ValueError, RecursionError):
        return False


def random_chain(rng):
    steps = [rng.choice(calls(CHANGING)) for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.15:
        steps.insert(rng.randrange(len(steps) + 1), rng.choice(calls(CHOOSING)))
    return joined(steps)


def settled(tally, name, once):
    """`once`: a finished run whose output is raw HTTP."""
    again = Run([], once.out)
    tally.check(f"settled: {name}", again.out == once.out and (once.status or not again.status),
                f"once {once.status} {clip(once.err)}\nagain {again.status} {clip(again.err)}\n"
                + difference(once.out, again.out))


def random_chains(tally, raw, har):
    rng = random.Random(20)
    whole = {path for path in har if is_json(path.read_bytes())}
    for _ in range(CHAINS):
        chain = random_chain(rng)
        path = rng.choice(raw if rng.random() < 0.7 else har)
        options = rng.choice([[], ["-s", "both"], ["-s", "request"]])
        name = f"{' '.join([*options, *chain])}: {path.name}"
        if path.name == "si.obs-body-http.out" and "content-type" in " ".join(chain).lower():
            continue  # a message in a body up to the end of input: only its type says that it is no message of its own
        source = str(path)
        once = Run([*options, *chain, source])
        if once.status == 2:
            tally.check(f"runs: {name}", False, clip(once.err))
            continue
        if path.suffix in (".har", ".json", ".jsonl"):
            if path in whole and once.out:
                tally.check(f"valid: {name}", is_json(once.out), clip(once.err))
            written = Run([*options, *chain, "-t", "http", source])
            settled(tally, f"{name} -t http", written)
        else:
            settled(tally, name, once)
            direct = [same_shape(message) for message in lines(Run([*options, *chain, "--json", source]))]
            back = within(once.out)
            if once.status == 0:
                tally.check(f"same messages: {name}", direct == back, f"{clip(repr(direct).encode())}\n{clip(repr(back).encode())}")


def within(http):
    """The messages of raw HTTP as they are, apart from their framing."""
    return [same_shape(message) for message in lines(Run(["--json"], http))]


def there_and_back(tally, raw, har):
    for path in raw:
        first = Run(["--json", str(path)])
        if first.status:
            continue
        http = Run(["-f", "ndjson", "-t", "http"], first.out)
        direct = Run([str(path)])
        tally.check(f"there: {path.name}", http.status == 0 and within(http.out) == within(direct.out),
                    f"{clip(http.err)}\n{clip(first.out)}\n" + difference(direct.out, http.out))
        again = Run(["-f", "ndjson", "--json"], first.out)
        tally.check(f"there, NDJSON to NDJSON: {path.name}", again.out == first.out, difference(first.out, again.out))
    for path in har:
        first = Run(["--json", str(path)])
        if first.status:
            continue
        document = Run(["-f", "ndjson", "-t", "har"], first.out)
        direct = [same_shape(message) for message in lines(first)]
        back = [same_shape(message) for message in lines(Run(["--json"], document.out))]
        wrong = next((f"{clip(repr(a).encode(), 3000)}\n  {clip(repr(b).encode(), 3000)}" for a, b in zip(direct, back) if a != b),
                     f"{len(direct)} and {len(back)}")
        tally.check(f"there: {path.name}", document.status == 0 and direct == back, f"{clip(document.err)}\n{wrong}")


def dribbled(arguments, data, rng):
    """The run with `data` fed in pieces, each read before the next is written."""
    read_end, write_end = os.pipe()
    process = subprocess.Popen([program(), *arguments], stdin=read_end, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=ENVIRONMENT)
    pid = os.fork()
    if pid == 0:
        try:
            feed(write_end, read_end, data, rng)
        finally:
            os._exit(0)
    os.close(read_end)
    os.close(write_end)
    out, err = process.communicate(timeout=60)
    os.waitpid(pid, 0)
    return process.returncode, out, err


def feed(write_end, read_end, data, rng):
    at = 0
    deadline = time.monotonic() + 20
    while at < len(data):
        size = rng.choice([1, 2, 3, 7, 64, 1000, 1024, 4096])
        try:
            os.write(write_end, data[at:at + size])
        except BrokenPipeError:
            return
        at += size
        while time.monotonic() < deadline:
            waiting = struct.unpack("i", fcntl.ioctl(read_end, termios.FIONREAD, b"\0\0\0\0"))[0]
            if waiting == 0:
                break
            os.sched_yield()


def reads(tally, raw, har):
    rng = random.Random(7)
    with scratch() as folder:
        for path in rng.sample(raw, 120) + [path for path in har if path.stat().st_size < 40_000]:
            data = path.read_bytes()[:60_000]
            chain = random_chain(rng)
            options = rng.choice([[], [], ["--json"], ["--strict"], ["--errors", "json"], ["-v"]])
            whole = Run([*options, *chain], data)
            name = f"{' '.join([*options, *chain])}: {path.name}"
            seen = dribbled([*options, *chain], data, rng)
            tally.check(f"reads: {name}", seen == (whole.status, whole.out, whole.err),
                        f"{whole.status} {clip(whole.err)}\n{seen[0]} {clip(seen[2])}\n" + difference(whole.out, seen[1]))
            zipped = Run([*options, *chain], gzip.compress(data, mtime=0))
            tally.check(f"reads, gzip around it: {name}", (zipped.status, zipped.out, zipped.err) == (whole.status, whole.out, whole.err),
                        f"{whole.status} {clip(whole.err)}\n{zipped.status} {clip(zipped.err)}\n" + difference(whole.out, zipped.out))
            file = pathlib.Path(folder) / "input"
            file.write_bytes(data)
            alone = Run([*options, *chain, str(file)])
            renamed = whole.err.replace(b"<stdin>", str(file).encode())
            tally.check(f"reads, as a file: {name}", not data.strip() or (alone.status, alone.err) == (whole.status, renamed) and
                        (alone.out.replace(str(file).encode(), b"<stdin>") == whole.out),
                        f"{whole.status} {clip(renamed)}\n{alone.status} {clip(alone.err)}")
        files = [str(path) for path in raw[:60]]
        for options in ([], ["--json"], ["-s", "both", "gzip", "--types", "all"]):
            one, two = (Run(["-j", jobs, *options, *files]) for jobs in ("1", "2"))
            tally.check(f"reads, -j 2: {' '.join(options)}", (one.status, one.out, one.err) == (two.status, two.out, two.err),
                        difference(one.out, two.out))


REQUEST = '{"method":"GET","url":"http://a/","headers":[{"name":"Host","value":"a"}]}'
RESPONSE = '{"status":200,"headers":[{"name":"X","value":"1"}],"content":{"text":"abc"}}'


def missing_halves(tally):
    """Entries of one half, of neither, of halves that are no halves: every verb has an answer, none breaks."""
    halves = [None, "null", "{}", "[]", "1", '"a"', "null null"]
    entries = ["{%s}" % ",".join(f'"{name}":{half}' for name, half in (("request", one), ("response", other)) if half)
               for one in [*halves, REQUEST] for other in [*halves, RESPONSE]]
    rng = random.Random(4)
    for verb, ways in (CHANGING | CHOOSING | ANSWERING).items():
        for way in ways:
            for options in [[], ["-s", "both"], ["-s", "request"], *([] if verb in ANSWERING else [["-t", "http"], ["-t", "ndjson"]])]:
                # All at once where each is JSON; those that are none, and what is no entry, alone.
                odd = rng.choice([entry for entry in entries if "null null" in entry] + ["null", "1", "[]"])
                for listed in ([entry for entry in entries if "null null" not in entry], [odd], ["{}"]):
                    data = ('{"log":{"version":"1.2","entries":[%s]}}' % ",".join(listed)).encode()
                    run = Run([*options, verb, *way], data)
                    tally.check(f"half an entry, {' '.join([*options, verb, *way])}: {clip(data)}", run.status in (0, 1, 3, 4),
                                f"{run.status} {clip(run.err)}")


def hostile_message(rng, kind, methods=("GET", "POST", "HEAD", "CONNECT", "OPTIONS")):
    body = rng.choice(["", "hi", "5\r\nhello\r\n0\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "x" * 2000])
    length = rng.choice(["0", "2", "3", "-1", "+2", "2, 2", "2, 3", "0x2", "", "99999999999999999999"])
    fields = [["Host", "a.example"]] if kind == "request" else []
    for _ in range(rng.randint(0, 3)):
        fields.append(rng.choice([["Content-Length", length], ["Content-Length", str(len(body))], ["Transfer-Encoding", "chunked"],
                                  ["Transfer-Encoding", "gzip, chunked"], ["transfer-encoding", "gzip"], ["Content-Encoding", "gzip"],
                                  ["Content-Encoding", "br"], ["Content-Type", "text/plain"], ["Trailer", "X-T"], ["X", "a\r\nB: c"],
                                  ["bad name", "v"], ["Connection", "close"], ["Location", "/x"], ["", "v"], ["X\r\nY", "v"]]))
    message = {"kind": kind, "version": rng.choice(["HTTP/1.1", "HTTP/1.0", "HTTP/2", "HTTP/3"]), "headers": fields}
    if kind == "request":
        message |= {"method": rng.choice(methods), "target": rng.choice(["/", "/a b", "", "*", "a.example:443"])}
    else:
        message |= {"status": rng.choice([100, 101, 103, 200, 200, 200, 204, 205, 206, 301, 304, 404, 599]),
                    "reason": rng.choice(["", "OK", "a\r\nX: y"])}
    if rng.random() < 0.8:
        if rng.random() < 0.8:
            message["body"] = body
        else:
            message["body64"] = base64.b64encode(body.encode()).decode()
    if rng.random() < 0.3:
        message["trailers"] = [rng.choice([["X-T", "1"], ["Content-Length", "5"], ["Transfer-Encoding", "chunked"]])]
    if rng.random() < 0.8:
        framing = rng.choice(["length", "chunked", "close", "decoded", "withheld", "none", "opaque", "wrong"])
        message["wire"] = {"framing": framing, "codings": rng.choice([[], ["gzip"], ["br"]])}
    return message


def hostile(tally):
    rng = random.Random(99)
    for number in range(CHAINS // 2):
        # Of one kind: behind a head without its body, a request counts only where one came before.
        kind = rng.choice(["request", "response"])
        messages = [hostile_message(rng, kind) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.3:
            # Without CONNECT: its answer in a HAR describes no message that raw HTTP could hold.
            request = hostile_message(rng, "request", ("GET", "POST", "HEAD", "OPTIONS"))
            messages = [{"kind": "exchange", "entry": 1, "request": request,
                         "response": hostile_message(rng, "response")}]
        source = "".join(json.dumps(message) + "\n" for message in messages).encode()
        side = rng.choice([[], ["-s", "both"], ["-s", "request"]])
        once = Run(["-f", "ndjson", "-t", "http", *side], source)
        again = Run([], once.out)
        tally.check(f"hostile {number}", again.out == once.out and again.status == 0,
                    f"{clip(source, 2000)}\nonce {once.status} {clip(once.err)}\nagain {again.status} {clip(again.err)}\n"
                    f"{clip(once.out, 2000)}\n" + difference(once.out, again.out))
        document = Run(["-f", "ndjson", "-t", "har"], source)
        if document.out:
            tally.check(f"hostile {number}: valid HAR", is_json(document.out), clip(source, 2000))


def main():
    tally = Tally()
    raw = raw_inputs()
    har, real = har_inputs()
    verbs_have_samples(tally)
    random_chains(tally, raw, har + real)
    there_and_back(tally, raw, har + real)
    reads(tally, raw, har)
    missing_halves(tally)
    hostile(tally)
    if not real:
        tally.skip("laws over other people's HAR files", "REHEAD_CORPUS is not there")
    tally.close()


main()
