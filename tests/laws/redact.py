#!/usr/bin/env python3
"""redact leaves no planted secret, in any place, format and spelling, and changes nothing else.

`redact.py --table` prints what each probe found instead: place, format, and for each spelling the Title-Case and the
lower-case result. Names of laws as arguments choose among them. Places: redact_places.py.
"""

import base64
import json
import os
import pathlib
import re
import sys

from harness import Run, Tally, clip, scratch
from redact_edges import LAWS as EDGES
from redact_judge import changes, codes, count, difference, left, shown, well_formed
from redact_places import AGAIN, PLACES
from redact_probe import CASES, FORMATS, SPELLINGS, Canaries, Exchange, document, probes


class Planted:
    """One document of all probes of a format and a case of names."""

    def __init__(self, form, case):
        self.form, self.name, self.canaries = form, f"{form}, {case} names", Canaries()
        self.probes = list(probes(self.canaries, PLACES, form, case))
        self.data = document(form, self.probes)
        self.labels = {x.label for x in self.probes}
        self.in_text = {x.label for x in self.probes if "response" in x.bodies}  # hidden with --text only


def judged(tally):
    """The judge itself: it finds each planted canary in the input, and each token that differs."""
    for form in FORMATS:
        planted = Planted(form, "title")
        missed = planted.labels - left(planted.data, planted.canaries)
        tally.check(f"{planted.name}: every canary is seen where it was planted", not missed, shown(missed))
        tally.check(f"{planted.name}: the input is read without a word", well_formed(form, planted.data) == "")
        for old, new in ((b"utm_source=mail", b"utm_source=male"), (b"Cache-Control", b"Cache-control"), (b"max-age=3600", b"REDACTED")):
            tally.check(f"{planted.name}: {new.decode()} is seen", changes(form, planted.data, planted.data.replace(old, new, 1), planted.canaries))


def none_left(tally):
    """The promise itself, with and without --text, and with every option that could bring a secret back."""
    for form in FORMATS:
        for case in CASES:
            planted = Planted(form, case)
            for options in (["--text"], []):
                name, expected = f"{planted.name}: redact {' '.join(options)}".rstrip(), set() if options else planted.in_text
                with scratch() as folder:
                    report = pathlib.Path(folder) / "report.json"
                    run = Run(["-v", "redact", *options, "--report", str(report)], planted.data)
                    told = report.read_bytes() if report.exists() else b""
                tally.check(f"{name}: exit 0", run.status == 0, f"exit {run.status}: {clip(run.err)}")
                found = left(run.out, planted.canaries)
                tally.check(f"{name}: 0 canaries left", found <= expected, shown(found - expected))
                tally.check(f"{name}: 0 canaries on stderr", not left(run.err, planted.canaries), clip(run.err))
                tally.check(f"{name}: 0 canaries in the report", not left(told, planted.canaries), clip(told))
                reported(tally, name, told)
                wrong = well_formed(form, run.out) if run.out else "no output"
                tally.check(f"{name}: the output is well-formed", not wrong, wrong)
                if wrong:
                    continue
                if not options:
                    tally.check(f"{name}: response bodies stay", found >= expected, shown(expected - found))
                tally.check(f"{name}: as many messages", count(form, planted.data) == count(form, run.out))
                wrong = changes(form, planted.data, run.out, planted.canaries)
                tally.check(f"{name}: nothing else changes", not wrong, f"{len(wrong)}:\n" + "\n".join(wrong[:8]))
                again = Run(["redact", *options], run.out)
                tally.check(f"{name}: twice changes nothing", again.status == 0 and again.out == run.out, difference(run.out, again.out))


def reported(tally, name, told):
    """The receipt is JSON and counts; it names what was hidden."""
    try:
        seen = json.dumps(json.loads(told)).lower()
    except ValueError as wrong:
        return tally.check(f"{name}: the report is JSON", False, f"{wrong}: {clip(told)}")
    missing = [word for word in ("x-api-key", "access_token", "cookie") if word not in seen]
    return tally.check(f"{name}: the report names and counts", not missing and re.search(r"[1-9]", seen), f"{missing}: {clip(told)}")


def outputs(tally):
    """The same in every format that is written, and with the step before and behind others."""
    for form in FORMATS:
        planted = Planted(form, "title")
        for to in ("http", "har", "ndjson", "headers", "body", "curl"):
            run = Run(["-t", to, *(["-s", "both"] if to != "curl" else []), "redact", "--text"], planted.data)
            found = left(run.out + run.err, planted.canaries)
            tally.check(f"{planted.name}: -t {to}", run.status == 0 and run.out and not found, f"exit {run.status}: {clip(run.err)}\n{shown(found)}")
        for chain in (["redact", "--text", "then", "sort", "then", "set", "X-Law: 1"], ["lower", "then", "redact", "--text"],
                      ["content-length", "then", "redact", "--text", "then", "gzip", "then", "inflate"], ["redact", "--text", "then", "log"],
                      ["redact", "--text", "then", "get", "-s", "both", "*"], ["redact", "--text", "then", "lint"],
                      ["redact", "--text", "then", "test", "h:x-none = 1 or cookie:sid = 1 or body ~ none"]):
            run = Run(chain, planted.data)
            found = left(run.out + run.err, planted.canaries)
            tally.check(f"{planted.name}: {' '.join(chain)}", run.status in (0, 1) and not found, f"exit {run.status}\n{shown(found)}")


def in_files(tally):
    """Files in place, several at once, one output each: the bytes that stdout gets."""
    planted = [Planted(form, case) for form in FORMATS for case in CASES]
    with scratch() as folder:
        paths = [pathlib.Path(folder) / f"{number}.{one.form}" for number, one in enumerate(planted)]
        expected = [Run(["redact", "--text"], one.data).out for one in planted]

        def fill():
            for path, one in zip(paths, planted):
                path.write_bytes(one.data)

        names = [str(path) for path in paths]
        made = pathlib.Path(folder) / "made"
        for words in (["-I"], ["-I", "-j", "2"], ["--output-dir", str(made)], ["-j", "2", "--output-dir", str(made)]):
            fill()
            run = Run([*words, "redact", "--text", *names])
            for one, path, wanted in zip(planted, paths, expected):
                result = path if words[0] == "-I" else made / path.name
                content = result.read_bytes() if result.exists() else b""
                found = left(content + run.err, one.canaries)
                tally.check(f"{' '.join(words[:3])}, {one.name}: 0 left", run.status == 0 and result.exists() and not found, f"{clip(run.err)}\n{shown(found)}")
                tally.check(f"{' '.join(words[:3])}, {one.name}: as on stdout", content == wanted, difference(wanted, content))
        fill()
        for name, one, wanted in zip(names, planted, expected):
            run = Run(["redact", "--text", "-o", str(made / "one"), name])
            content = (made / "one").read_bytes() if (made / "one").exists() else b""
            tally.check(f"-o, {one.name}", run.status == 0 and content == wanted, difference(wanted, content))
        report = pathlib.Path(folder) / "report.json"
        run = Run(["-j", "2", "--output-dir", str(made), "redact", "--text", "--report", str(report), *names])
        told = report.read_bytes() if report.exists() else b""
        found = [label for one in planted for label in left(told + run.err, one.canaries)]
        tally.check("one report over all files", run.status == 0 and all(path.name.encode() in told for path in paths) and not found, f"{clip(told)}\n{shown(found)}")
        reported(tally, "several files", told)
        noted = Run(["redact", "--report", "-"], planted[0].data)
        tally.check("--report - writes to stderr", b"x-api-key" in noted.err.lower() and noted.out and not left(noted.err, planted[0].canaries), clip(noted.err))
        several = Run(["-j", "2", "-t", "ndjson", "redact", "--text", *names])
        single = Run(["-j", "1", "-t", "ndjson", "redact", "--text", *names])
        tally.check("-j 2 gives what -j 1 gives", (several.status, several.out) == (single.status, single.out), difference(single.out, several.out))


def one_secret(form="har", name="X-Api-Key"):
    canaries = Canaries()
    x = Exchange(canaries, ("one secret",), "title", "plain", form)
    x.request(name, x.v)
    return canaries, document(form, [x])


def gate(tally):
    """--check is the CI gate: one line for each place, and nothing to say about what was redacted. --diff shows no value."""
    canaries, data = one_secret()
    run = Run(["--check", "redact"], data)
    lines = [line for line in run.err.decode().splitlines() if "x-api-key" in line.lower()]
    tally.check("--check: one line for one place", run.status == 1 and not run.out and len(lines) == 1, clip(run.err))
    wanted = ("entry 1", "request", "20")
    tally.check("--check: file, entry, half, name, length", lines and all(word in lines[0] for word in wanted), lines)
    for form in FORMATS:
        planted = Planted(form, "title")
        run = Run(["--check", "redact", "--text"], planted.data)
        tally.check(f"--check, {form}: exit 1, a line for each place", run.status == 1 and len(run.err.splitlines()) >= len(planted.probes),
                    f"exit {run.status}, {len(run.err.splitlines())} lines for {len(planted.probes)} probes")
        tally.check(f"--check, {form}: shows no value", not left(run.out + run.err, planted.canaries), clip(run.err))
        redacted = Run(["redact", "--text"], planted.data).out
        again = Run(["--check", "redact", "--text"], redacted)
        tally.check(f"--check, {form}: clean once redacted", redacted and again.status == 0 and not again.err, f"exit {again.status}: {clip(again.err)}")
        machine = Run(["--check", "--errors", "json", "redact", "--text"], planted.data)
        tally.check(f"--check --errors json, {form}", machine.status == 1 and not left(machine.err, planted.canaries) and codes(machine.err), clip(machine.err))
        shown_diff = Run(["--diff", "redact", "--text"], planted.data)
        found = left(shown_diff.out + shown_diff.err, planted.canaries)
        tally.check(f"--diff, {form}: shows places, no value", shown_diff.status == 1 and shown_diff.out and not found, f"exit {shown_diff.status}\n{shown(found)}")
    quiet = Run(["--check", "-q", "redact"], data)
    tally.check("--check -q says nothing", quiet.status == 1 and not quiet.err + quiet.out, clip(quiet.err))


def hashes(tally):
    """--hash: equal values are equal in all files of one key, and nothing else shows."""
    with scratch() as folder:
        keys = [pathlib.Path(folder) / name for name in ("key1", "key2")]
        for number, key in enumerate(keys):
            key.write_bytes(b"%d" % number * 32)
            key.chmod(0o600)

        def values(data, key, words=()):
            run = Run([*words, "redact", "--text", "--hash", "--key-file", str(key)], data)
            return run, re.findall(rb'"name":"X-Api-Key","value":"([^"]*)"', run.out)

        canaries, data = one_secret()
        (first, one), (_, same), (_, other) = values(data, keys[0]), values(data.replace(b"q=shoes", b"q=hats"), keys[0]), values(data, keys[1])
        tally.check("--hash: kind and 16 hex digits", len(one) == 1 and re.fullmatch(rb"[a-z][a-z_-]*:[0-9a-f]{16}", one[0]), one)
        tally.check("--hash: equal in another file, other under another key", one == same != other and other, (one, same, other))
        tally.check("--hash: a key that only its owner reads is no warning", first.status == 0 and not first.err, clip(first.err))
        for form in FORMATS:
            planted = Planted(form, "title")
            run = values(planted.data, keys[0])[0]
            found = left(run.out + run.err, planted.canaries)
            tally.check(f"--hash, {form}: 0 left", run.status == 0 and not found, f"exit {run.status}: {clip(run.err)}\n{shown(found)}")
            wrong = well_formed(form, run.out) or changes(form, planted.data, run.out, planted.canaries) if run.out else ["no output"]
            tally.check(f"--hash, {form}: nothing else changes", not wrong, "\n".join(wrong[:8]) if isinstance(wrong, list) else wrong)
            again = values(run.out, keys[0])[0]
            tally.check(f"--hash, {form}: twice changes nothing", run.out and again.out == run.out, difference(run.out, again.out))
            plain = Run(["redact", "--text"], run.out)
            tally.check(f"--hash, {form}: pseudonyms are no secrets", run.out and plain.out == run.out, difference(run.out, plain.out))
        keys[0].chmod(0o644)
        warned = values(data, keys[0])[0]
        tally.check("--hash: a key that others can read is a warning", warned.status == 0 and b"warning" in warned.err and b"0000" not in warned.err, clip(warned.err))
        for words in (["--hash"], ["--hash", "--key-file", os.path.join(folder, "none")], ["--key-file", str(keys[1])]):
            run = Run(["redact", *words], data)
            tally.check(f"{words[0]} without {'--hash' if words[0] != '--hash' else 'a key'} is an error", run.status in (2, 5) and not run.out, f"exit {run.status}")


def second_sight(tally):
    """A value once hidden is hidden wherever it stands later, and with --two-pass also before."""
    for form in FORMATS:
        canaries, pairs = Canaries(), []
        for place, formats, spellings, plant in AGAIN:
            for spelling in spellings.split():
                if form in formats and spelling in SPELLINGS[form].split() + ["coded"]:
                    first, later = (Exchange(canaries, (place, form, spelling), "title", spelling, form) for _ in range(2))
                    value = first.canary()
                    first.request("Authorization", f"Bearer {value}")
                    later.values.append(value)
                    if spelling == "coded":  # hidden as base64 or as it is
                        canaries.kept[value] = ()
                    plant(later, {"percent": "".join(f"%{byte:02X}" for byte in value.encode()),
                                  "coded": base64.b64encode(value.encode()).decode()}.get(spelling, value))
                    pairs.append((first, later))
        forward = document(form, [x for both in pairs for x in both])
        backward = document(form, [x for both in pairs for x in reversed(both)])
        found = left(Run(["redact", "--text"], forward).out or forward, canaries)
        tally.check(f"{form}: a value seen before is hidden", not found, shown(found))
        with scratch() as folder:
            path = pathlib.Path(folder) / "in"
            for name, data in (("forward", forward), ("backward", backward)):
                path.write_bytes(data)
                run = Run(["redact", "--text", "--two-pass", str(path)])
                found = left(run.out or data, canaries)
                tally.check(f"{form}: --two-pass, {name}", run.status == 0 and not found, f"exit {run.status}: {clip(run.err)}\n{shown(found)}")
                wrong = changes(form, data, run.out, canaries)
                tally.check(f"{form}: --two-pass, {name}: nothing else changes", not wrong, "\n".join(wrong[:8]))
    run = Run(["redact", "--two-pass"], b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    tally.check("--two-pass needs a regular file", run.status == 2 and not run.out, f"exit {run.status}: {clip(run.err)}")


def main():
    laws = {law.__name__: law for law in (judged, none_left, outputs, in_files, gate, hashes, second_sight, *EDGES)}
    words = sys.argv[1:]
    if "--table" in words:
        return table()
    tally = Tally()
    for name in [word for word in words if word in laws] or laws:
        laws[name](tally)
    return tally.close()


def table():
    """place, format, and for each spelling what became of the Title-Case and the lower-case name."""
    results, order, totals = {}, {}, {"hidden": 0, "LEFT": 0}
    for form in FORMATS:
        for case in CASES:
            planted = Planted(form, case)
            out = Run(["redact", "--text"], planted.data).out
            found = left(out or planted.data, planted.canaries)
            for place, _, spelling, _ in (x.label for x in planted.probes):
                word = "LEFT" if (place, form, spelling, case) in found else "hidden"
                order.setdefault((place, form), None)
                results.setdefault((place, form), {}).setdefault(spelling, []).append(word)
                totals[word] += 1
    rank = {row[0]: number for number, row in enumerate(PLACES)}
    for place, form in sorted(order, key=lambda key: (rank[key[0]], FORMATS.index(key[1]))):
        cells = "  ".join(f"{spelling} {'/'.join(dict.fromkeys(words))}" for spelling, words in results[place, form].items())
        print(f"{place:42} {form:7} {cells}")
    print(f"{len(PLACES)} places, {sum(totals.values())} probes: {totals['hidden']} hidden, {totals['LEFT']} left over")


if __name__ == "__main__":
    main()
