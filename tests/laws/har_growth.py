#!/usr/bin/env python3
"""Nothing in a HAR costs more than its share: on every axis twice the input takes at most 2.1 times the work.

Counted in instructions (callgrind), so a busy machine changes nothing; skipped where valgrind is absent. Then the
largest of each, once: a limit's error or an answer, never a crash or a hang.
"""

import math
import shutil
import sys

from harness import Run, Tally, clip, counted, scratch

MOST = 2.1


def entry(request="", response="", url="https://a.example/p", rest=""):
    return ('{"startedDateTime":"2024-01-01T00:00:00Z","time":1,"request":{"method":"POST","url":"%s",'
            '"httpVersion":"HTTP/1.1","headers":[{"name":"Host","value":"a.example"}]%s},'
            '"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1"%s}%s}'
            % (url, request, response or ',"headers":[],"content":{"size":0,"mimeType":""}', rest))


def document(*entries, before="", after=""):
    return '{"log":{"version":"1.2",%s"entries":[%s]%s}}' % (before, ",\n".join(entries), after)


def listed(count, one):
    return ",".join(one % i if "%d" in one else one for i in range(count))


def response(headers="", content='"size":0,"mimeType":""', rest=""):
    return ',"headers":[%s],"content":{%s}%s' % (headers, content, rest)


def header(name, value):
    return '{"name":"%s","value":"%s"}' % (name, value)


COOKIE = '{"name":"c%d","value":"1"}'

# name: (a HAR of that many, how many to count with, how many at most)
AXES = {
    "Set-Cookie values joined by LF": (lambda n: document(entry(response=response(
        header("Set-Cookie", "\\n".join("c%d=1; Path=/" % i for i in range(n))),
        rest=',"cookies":[%s]' % listed(n, COOKIE)))), 500, 100_000),
    "Set-Cookie headers": (lambda n: document(entry(response=response(
        listed(n, header("Set-Cookie", "c%d=1; Path=/")), rest=',"cookies":[%s]' % listed(n, COOKIE)))), 500, 100_000),
    "cookies in one Cookie": (lambda n: document(entry(request=',"headers":[%s],"cookies":[%s]' % (
        header("Cookie", "; ".join("c%d=1" % i for i in range(n))), listed(n, COOKIE)))), 500, 100_000),
    "the same cookie": (lambda n: document(entry(response=response(
        listed(n, header("Set-Cookie", "a=1")), rest=',"cookies":[%s]' % listed(n, '{"name":"a","value":"1"}')))),
        500, 100_000),
    "headers": (lambda n: document(entry(response=response(listed(n, header("X-%d", "v"))))), 500, 10_000),
    "headers of one name": (lambda n: document(entry(response=response(listed(n, header("X", "%d"))))), 500, 10_000),
    "headers that are pairs": (lambda n: document(entry(response=response(listed(n, '["X-%d","v"]')))), 500, 10_000),
    "keys of a header": (lambda n: document(entry(response=response(
        '{%s,"name":"A","value":"1"}' % listed(n, '"k%d":1')))), 500, 100_000),
    "the same key again": (lambda n: document(entry(rest="," + listed(n, '"comment":"%d"'))), 500, 100_000),
    "headers again": (lambda n: document(entry(response=response(rest="," + listed(
        n, '"headers":[{"name":"A","value":"%d"}]')))), 2_000, 50_000),
    "parameters of a query": (lambda n: document(entry(
        url="https://a.example/p?" + "&".join("k%d=v" % i for i in range(n)),
        request=',"queryString":[%s]' % listed(n, COOKIE))), 2_000, 50_000),
    "params of a form": (lambda n: document(entry(
        request=',"postData":{"mimeType":"application/x-www-form-urlencoded","params":[%s]}' % listed(n, COOKIE))),
        2_000, 50_000),
    "levels of nesting": (lambda n: document(entry(rest=',"_x":%s%s' % ("[" * n, "]" * n))), 250, 1_000),
    "levels too many": (lambda n: document(entry(rest=',"_x":%s%s' % ('{"a":' * n, "}" * n))), None, 100_000),
    "a text": (lambda n: document(entry(response=response(content='"mimeType":"text/plain","text":"%s"' % ("x" * n)))),
               300_000, 5_000_000),
    "a text of escapes": (lambda n: document(entry(response=response(
        content='"mimeType":"text/plain","text":"%s"' % ("\\u00e9\\n" * n)))), 60_000, 500_000),
    "a text of backslashes": (lambda n: document(entry(response=response(
        content='"mimeType":"text/plain","text":"%s"' % ("\\\\" * n)))), 150_000, 1_000_000),
    "a text in base64": (lambda n: document(entry(response=response(
        content='"mimeType":"image/png","encoding":"base64","text":"%s"' % ("AAAA" * n)))), 100_000, 1_000_000),
    "white space": (lambda n: document(entry(rest=" " * n + ',"_x":1')), 10_000, 500_000),
    "blanks between entries": (lambda n: document(entry(), "\n" * n + entry()), 10_000, 500_000),
    "entries": (lambda n: document(*[entry()] * n), 200, 20_000),
    "pages": (lambda n: document(entry(), before='"pages":[%s],' % listed(n, '{"id":"p%d"}')), 500, 100_000),
    "members behind the entries": (lambda n: document(entry(), after="," + listed(n, '"_m%d":1')), 500, 50_000),
    "documents": (lambda n: "\n".join([document(entry(), before='"pages":[{"id":"p"}],')] * n), 100, 10_000),
    "entries again": (lambda n: document(entry(), after="," + listed(n, '"entries":[{"request":{}}]')), 100, 10_000),
    "bare entries": (lambda n: "\n".join([entry()] * n), 200, 10_000),
    "empty strings and brackets": (lambda n: document(entry(rest=',"_x":[%s]' % listed(n, '"",[],{}'))),
                                   1_000, 300_000),
}
CHAINS = [
    ["set", "X-Law: 1"],
    ["remove", "x-*,cookie,set-cookie,content-type"],
    ["merge-cookies"],
    ["split-cookies", "then", "set-cookie", "*; Secure"],
    ["remove-cookie", "c1,a"],
    ["set", ":path: /new"],
    ["join", "*", "then", "sort", "then", "lower"],
    ["gzip", "--level", "1", "then", "content-length"],
    ["-t", "http", "-s", "both"],
    ["--json"],
    ["-t", "curl"],
    ["get", "-s", "both", "set-cookie,cookie,:url,:type,x"],
    ["lint"],
]


def instructions(arguments, data, folder):
    return counted(["-f", "har", *arguments], data.encode(), folder)


def growth(tally, folder, axes, chains):
    """Per doubling of the input, over three of them, so that where a buffer happens to grow does not count."""
    for axis in axes:
        make, count, _ = AXES[axis]
        if count is None:
            continue
        for chain in chains:
            start, small, large = (instructions(chain, make(number), folder) for number in (1, count, 8 * count))
            name = f"{axis}: {' '.join(chain)}"
            if start == 0:
                return tally.check(name, False, "valgrind counted nothing")
            doublings = math.log2(len(make(8 * count)) / len(make(count)))
            rate = (max(large - start, 1) / max(small - start, 1)) ** (1 / doublings)
            flat = large - start < start / 100  # hardly anything grows: a page more or less is noise
            tally.check(f"{name}: growth {rate:.2f}", rate <= MOST or flat, f"{start} {small} {large} instructions")


def extremes(tally, axes, chains):
    for axis in axes:
        make, _, most = AXES[axis]
        data = make(most).encode()
        for chain in chains:
            for limits in ([], ["--max-fields", "200000", "--max-head", "64M"]):
                run = Run(["-f", "har", *limits, *chain], data, timeout=120)
                fine = run.status in (0, 1, 3, 4) and b"Sanitizer" not in run.err
                tally.check(f"{most} {axis}: {' '.join(limits + chain) or '(empty)'}", fine,
                            f"status {run.status}, {clip(run.err)}")
                if run.status != 4:
                    break  # no limit in the way: once is enough


def main():
    """Names of axes choose among them; --all counts every chain on every axis."""
    tally = Tally()
    words = sys.argv[1:]
    everything = "--all" in words
    axes = [word for word in words if word in AXES] or list(AXES)
    extremes(tally, axes, [[], *CHAINS])
    if not shutil.which("valgrind"):
        tally.skip("growth on HAR", "no valgrind here")
        tally.close()
    with scratch() as folder:
        for number, axis in enumerate(axes):
            # Each axis meets two chains; all of them take minutes.
            some = [CHAINS[(number + offset) % len(CHAINS)] for offset in (0, 7)]
            growth(tally, folder, [axis], CHAINS if everything else some)
    tally.close()


main()
