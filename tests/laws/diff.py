#!/usr/bin/env python3
"""--diff of raw HTTP is a patch: where no body changes, `patch` makes of the file what -I makes of it."""

import os
import pathlib
import random
import shutil
import subprocess

from harness import ENVIRONMENT, Run, Tally, scratch

ROUNDS = int(os.environ.get("REHEAD_DIFFS", "12"))
CHAINS = ["add 'Z: 1'", "remove A", "set 'D: 7'", "remove A,C then add 'Z: 1'", "rename B=K then remove H", "lower"]


BLANKS = [b" ", b" ", b"", b"  ", b"\t"]


def messages(chance, end):
    """Several, much alike, so that a change without enough around it would find the wrong place; spelt in all ways."""
    out = b""
    for _ in range(6):
        body = b"x\n" * chance.randrange(3)
        names = b"ABCDEFGHI"[:chance.randrange(10)]
        lines = [b"HTTP/1.1 200 OK", *(b"%c:%s%d%s" % (name, chance.choice(BLANKS), chance.randrange(2), chance.choice(BLANKS))
                                       for name in names),
                 b"Content-Length: %d" % len(body)]
        out += end.join(lines) + end + end + body
    return out


def patches(tally):
    chance = random.Random(3)
    for end in (b"\n", b"\r\n"):
        for chain in CHAINS:
            faults = []
            for _ in range(ROUNDS):
                content = messages(chance, end)
                with scratch() as folder:
                    one, other = (pathlib.Path(folder) / name for name in ("one.http", "other.http"))
                    one.write_bytes(content)
                    other.write_bytes(content)
                    words = chain_words(chain)
                    told = Run(["--diff", *words, str(one)])
                    done = subprocess.run(["patch", "-s", str(one)], input=told.out, capture_output=True,
                                          env=ENVIRONMENT, check=False) if told.out else None
                    Run(["-I", *words, str(other)])
                    if one.read_bytes() != other.read_bytes() or (done and (done.stdout or done.stderr)):
                        faults.append((content, told.out, done and done.stdout))
            tally.check(f"patch, {chain}, {end}", not faults, faults[:1])


def chain_words(chain):
    return subprocess.run(["sh", "-c", f"printf '%s\\n' {chain}"], capture_output=True, text=True,
                          check=True).stdout.splitlines()


def main():
    tally = Tally()
    if shutil.which("patch"):
        patches(tally)
    else:
        tally.skip("a diff is a patch", "no patch here")
    tally.close()


main()
