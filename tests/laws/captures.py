#!/usr/bin/env python3
"""Laws over every captured curl run: what the server sent (NAME.wire) and what curl printed (NAME.out)."""

import base64
import json

from harness import CAPTURES, ROOT, Run, Tally, clip

EXITS = {0, 1, 2, 3, 4, 5}

# The captures whose bytes are no well-formed HTTP/1 or whose headers lie: the empty chain mends or refuses them.
SLOPPY = {
    "204-cl": "a length on 204 goes (RFC 9110 8.6)",
    "badchunk": "a chunk size that is no number",
    "barelf": "line ends are bare LF",
    "cl-and-te": "Content-Length beside Transfer-Encoding",
    "cl-short": "the body is shorter than its length",
    "dup-cl-diff": "two different lengths",
    "dup-cl-same": "two equal lengths become one",
    "folded": "a folded field line",
    "gz-bad": "Content-Encoding over bytes that are not coded",
    "lfchunk": "chunk lines end in bare LF",
    "mixedlf": "mixed line ends",
    "neg-cl": "a negative length, curl stopped there",
    "nul": "a NUL in the head, curl stopped there",
    "spacecolon": "a blank before the colon",
    "trunc-chunked": "the chunks end early",
}

# Pairs that no rule can read alike, because the bytes curl printed mean something else by themselves.
UNDECIDABLE = {
    "si.hexbody": "the decoded body is itself a complete chunk stream",
    "si.http09": "the decoded body is itself a complete chunk stream",
    "si.http-in-body": "the decoded body holds a whole response, as two concatenated replies would",
    "iD-.plain": "every head line twice: refused, with a hint",
    "D-o.trailers": "the body went to another file, the trailers did not",
    "D-Lo.redir2": "the body went to another file",
}

# Fields that describe the framing, and so may differ between the two forms of one answer.
FRAMING = {"content-length", "transfer-encoding", "trailer", "content-encoding"}

CHAINS = [
    [],
    ["content-length"],
    ["dechunk"],
    ["chunk"],
    ["inflate"],
    ["gzip"],
    ["set", "X-Law: 1"],
    ["remove", "content-type"],
    ["dechunk", "then", "inflate", "then", "content-length"],
    ["content-type", "text/html", "then", "gzip", "then", "chunk", "then", "merge-cookies"],
    ["strip-hop", "then", "join", "*"],
    ["drop-body"],
]


def final(run):
    """The last response: status, body, and the fields that say nothing about framing."""
    responses = [message for message in run.messages() if message["kind"] == "response"]
    if not responses:
        return None
    last = responses[-1]
    body = base64.b64decode(last["body64"]) if "body64" in last else last.get("body", "").encode()
    fields = [field for field in last["headers"] if field[0].lower() not in FRAMING]
    return last["status"], body, fields


def every_capture_is_read(tally):
    for path in sorted(CAPTURES.glob("*.*")):
        if path.suffix not in (".wire", ".out"):
            continue
        for arguments in ([], ["--json"], ["inflate", "then", "content-length"]):
            run = Run([*arguments, str(path)])
            tally.check(f"read: {path.name} {' '.join(arguments)}", run.status in EXITS,
                        f"status {run.status}: {clip(run.err)}")


def well_formed_is_untouched(tally):
    for path in sorted(CAPTURES.glob("raw.*.out")):
        if path.name.split(".")[1] in SLOPPY:
            continue
        data = path.read_bytes()
        run = Run([], data)
        tally.check(f"empty chain leaves {path.name} as it is",
                    (run.status, run.out, run.err) == (0, data, b""),
                    f"status {run.status} {clip(run.err)}\n{clip(data)}\n{clip(run.out)}")


def wire_and_printed_agree(tally):
    chain = ["dechunk", "then", "inflate", "then", "content-length", "--json"]
    for entry in json.loads((CAPTURES / "index.json").read_text()):
        name = entry["name"]
        if entry["rc"] != 0 or name in UNDECIDABLE:
            continue
        wire = Run([*chain, str(CAPTURES / f"{name}.wire")])
        printed = Run([*chain, str(CAPTURES / f"{name}.out")])
        same = final(wire) == final(printed) and final(wire) is not None
        # Both forms broken alike is agreement too: a length that is none, a bad chunk.
        both_refused = wire.status == printed.status == 3 and wire.out == printed.out
        tally.check(f"same from wire and from curl: {name}", same or both_refused,
                    f"wire    {wire.status} {clip(wire.out)} {clip(wire.err)}\n"
                    f"printed {printed.status} {clip(printed.out)} {clip(printed.err)}")


def own_output_is_stable(tally):
    samples = sorted((ROOT / "examples" / "data").glob("*.http"))
    for path in [*sorted(CAPTURES.glob("*.out")), *sorted(CAPTURES.glob("*.wire")), *samples]:
        for chain in CHAINS:
            once = Run([*chain, str(path)])
            again = Run([], once.out)
            tally.check(f"written again unchanged: {' '.join(chain) or '(empty)'}: {path.name}",
                        again.out == once.out and once.status != 2,
                        f"once  {once.status} {clip(once.out)} {clip(once.err)}\n"
                        f"again {again.status} {clip(again.out)} {clip(again.err)}")


def cut_input_is_told(tally):
    """Messages framed by a length or by chunks, cut at every offset: a border between messages, or exit 3."""
    for path in sorted(CAPTURES.glob("raw.*.out")):
        kind = path.name.split(".")[1]
        framings = [message["wire"]["framing"] for message in Run(["--json", str(path)]).messages()]
        if kind in SLOPPY or framings[-1] not in ("length", "chunked"):
            continue
        if kind.startswith("deflate"):
            continue  # without a magic, fewer bytes than the length look like what curl has decoded
        data = path.read_bytes()
        fine = {0, len(data)}
        end = 0
        while (end := data.find(b"\r\n\r\n", end)) >= 0:
            end += 4
            fine |= {end - 1, end}  # $() takes the last LF; a head alone answers HEAD
            if framings[-1] == "chunked":  # inside the first size line it could be a decoded body
                fine |= set(range(end, data.find(b"\r\n", end) + 2))
            if data[end:end + 5] != b"HTTP/":
                break
        wrong = [cut for cut in range(len(data))
                 if cut not in fine and Run([], data[:cut]).status != 3]
        tally.check(f"every cut of {path.name} is told", not wrong, f"exit 0 at {wrong}")


def main():
    tally = Tally()
    every_capture_is_read(tally)
    well_formed_is_untouched(tally)
    wire_and_printed_agree(tally)
    own_output_is_stable(tally)
    cut_input_is_told(tally)
    tally.close()


main()
