#!/usr/bin/env python3
"""Laws over changes in a HAR entry: whatever its objects look like (empty, null, missing, members in any order,
repeated keys, a base64 flag), every step leaves JSON; and what a step removed stands in no mirror of it."""

import itertools
import json

from harness import Run, Tally, clip

def want(tally, holds, message):
    tally.check(message, holds)


STEPS = [["set", "X: 2"], ["add", "X: 1"], ["remove", "*"], ["keep", "x"], ["body", "abc"], ["body", ""],
         ["drop-body"], ["drop-body", "then", "body", "abc"], ["gzip", "--types", "all"],
         ["gzip", "--types", "all", "then", "inflate"], ["inflate"], ["content-length"], ["dechunk"], ["chunk"],
         ["content-type", "a/b", "--force"], ["sub", ":body:/a/bb/"], ["merge-cookies"], ["merge-cookies", "--join-lf"],
         ["set-cookie", "s=9; Path=/"], ["remove-cookie", "*"], ["sort"], ["lower"], ["join", "*"], ["strip-hop"],
         ["set", ":status: 204"], ["set", ":status: 204", "then", "set", ":status: 200", "then", "body", "abc"],
         ["set", ":url: http://b.example/?q=2"], ["set", ":reason: R"], ["set", ":method: PUT"], ["etag"]]

# Contents of either half, and how an entry is put together of them.
BODIES = [None, 'null', '{}', '{ }', '{"size":-1}', '{"encoding":"base64"}', '{"text":"aGk=","encoding":"base64"}',
          '{"encoding":"base64","mimeType":"a/b","text":"aGk="}', '{ "text" : "hi" , "size" : 2 }',
          '{"text":"a","text":"hi","size":2,"size":2}', '{"text":null,"params":[]}', '{"_file":"x.bin","size":9}',
          '{"params":[{"name":"a","value":"1"}],"mimeType":""}', '{"text":12}', '{"text":{}}', '[]', '"x"']
HEADERS = [None, 'null', '[]', '[{}]', '[{"name":"X"}]', '[{"value":"1","name":"X"}]', '[["X","1"]]',
           '[{"name":"Set-Cookie","value":["s=1","t=2"]},{"name":"Cookie","value":"s=1\\nt=2"}]',
           '[ {"name":"X","value":{"a":1}} , {"name":"Content-Length","value":3} ]',
           '[{"name":"X","value":"1","name":"X","value":"2"}]', '[{"name":"X","value":[]}]']
OTHERS = ['', '"cookies":[],', '"cookies":[{"name":"s","value":"1"}],"status":"200",', '"status":304,"bodySize":1e1,',
          '"url":"http://a.example/?q=1","queryString":[{"name":"q","value":"1"},{}],"method":null,',
          '"cookies":null,"redirectURL":null,"headersSize":5,']


def half(body, headers, other, name, last):
    members = [f'"{name}":{body}'] if body is not None else []
    members += [f'"headers":{headers}'] if headers is not None else []
    if last:
        members.reverse()
    return '{' + (other + ','.join(members)).rstrip(',') + '}'


def shapes():
    for number, (body, headers, other) in enumerate(itertools.product(BODIES, HEADERS, OTHERS)):
        last = number % 2 == 1
        yield (half(body, headers, other, "postData", last), half(body, headers, other, "content", last))
    for odd in ('null', '{}', None):
        yield (odd, odd)


def documents():
    entries = []
    for request, response in shapes():
        members = [f'"{key}":{value}' for key, value in (("request", request), ("response", response)) if value is not None]
        entries.append('{' + ','.join(members) + '}')
    # One entry that cannot be decoded must not hide the others, so they stand in one document each kind.
    return [entries[at:at + 100] for at in range(0, len(entries), 100)]


def json_stays(tally):
    for entries in documents():
        data = ('{"log":{"entries":[' + ',\n'.join(entries) + ']}}').encode()
        want(tally, Run([], data).out == data, "the empty chain changes an entry")
        for side, steps in itertools.product(("request", "response", "both"), STEPS):
            run = Run(["-q", "-s", side, *steps], data)
            what = f"-s {side} {' '.join(steps)}"
            try:
                made = json.loads(run.out)["log"]["entries"]
            except ValueError as wrong:
                want(tally, False, f"{what}: no JSON: {wrong}: {clip(run.out)}")
                continue
            want(tally, run.status in (0, 3, 4) and len(made) == len(entries), f"{what}: exit {run.status}, {len(made)} entries")
            if steps[-4:] == [":status: 200", "then", "body", "abc"] and side == "response":
                texts = {str(e["response"]["content"].get("text")) for e in made if isinstance(e.get("response"), dict)}
                want(tally, texts == {"abc"}, f"{what}: texts {texts}")


SECRET = "TOPSECRET"
MIRRORED = {  # what removes it, and entries that hold it here and there
    ("remove", "cookie,set-cookie"): "cookies", ("remove", "*"): "cookies", ("keep", "x"): "cookies",
    ("remove-cookie", "*"): "cookies", ("remove-cookie", "s"): "cookies",
    ("remove", "location"): "redirect", ("keep", "content-type"): "redirect",
    ("remove", "content-type"): "type", ("keep", "location"): "type",
    ("set", ":url: http://a.example/"): "query",
    ("drop-body", "-s", "both"): "text", ("body", "x", "-s", "both"): "text",
}
PLACES = {
    "cookies": [("request", '"headers":[%s],"cookies":[%s]', '{"name":"Cookie","value":"s=TOPSECRET"}', '{"name":"s","value":"TOPSECRET","x":1}'),
                ("response", '"headers":[%s],"cookies":[%s]', '{"name":"Set-Cookie","value":"s=TOPSECRET; Path=/"}', '{"path":"/","name":"s","value":"TOPSECRET"}'),
                ("response", '"headers":[%s],"cookies":[%s]', '{"name":"Set-Cookie","value":["s=TOPSECRET"]}', '{"name":"s","value":"OTHER"},{"name":"s","value":"TOPSECRET"}')],
    "redirect": [("response", '"headers":[%s],"redirectURL":%s', '{"name":"Location","value":"/TOPSECRET"}', '"http://a.example/TOPSECRET"')],
    "type": [("response", '"headers":[%s],"content":{"mimeType":%s}', '{"name":"Content-Type","value":"a/TOPSECRET"}', '"a/TOPSECRET"'),
             ("request", '"headers":[%s],"postData":{"mimeType":%s}', '{"name":"Content-Type","value":"a/TOPSECRET"}', '"a/TOPSECRET"')],
    "query": [("request", '"url":"http://a.example/?%s","queryString":[%s]', 'a=TOPSECRET', '{"name":"a","value":"TOPSECRET"}')],
    "text": [("response", '"status":%s,"content":{"size":1,%s}', str(status), member)
             for status in (200, 204, 304, 101, 0) for member in ('"text":"TOPSECRET"', '"_file":"TOPSECRET"', '"encoding":"base64","text":"TOPSECRET"')
             if status == 200 or "_file" not in member] +
            [("request", '"method":"%s","postData":{%s}', "POST", member) for member in ('"text":"a=TOPSECRET","params":[{"name":"a","value":"TOPSECRET"}]', '"params":[{"name":"a","value":"TOPSECRET"}]')],
}


def mirrors_follow(tally):
    for steps, kind in MIRRORED.items():
        for name, form, one, other in PLACES[kind]:
            sides = [(one, other)] if kind == "text" else [(one, other), ("", other), (one, other.replace(SECRET, "OTHER"))]
            for pair in sides:
                if kind == "query" and not pair[0]:
                    continue  # a URL that had no query and has none says nothing of it
                entry = '{"%s":{%s}}' % (name, form % pair)
                run = Run(["-q", *steps], ('{"log":{"entries":[%s]}}' % entry).encode())
                want(tally, run.status == 0 and SECRET.encode() not in run.out and (kind in ("text", "query") or b'"OTHER"' not in run.out),
                            f"{' '.join(steps)} over {entry}: exit {run.status}: {clip(run.out)}")


def main():
    tally = Tally()
    json_stays(tally)
    mirrors_follow(tally)
    tally.close()


main()
