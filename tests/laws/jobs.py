#!/usr/bin/env python3
"""-j: any number of files at once give the output, the diagnostics, the status and the files that one by one gives.

REHEAD_JOBS_SIZE: MiB per file for the measured ratio (default 0: it is not measured).
"""

import os
import pathlib
import resource
import shutil
import subprocess
import time

from harness import ENVIRONMENT, ROOT, Tally, program, scratch

FILES = 40
SIZE = int(os.environ.get("REHEAD_JOBS_SIZE", "0"))
CASE = ROOT / "tests" / "cases" / "batch" / "in_place_har" / "shop.har"

CHAINS = (
    ["-t", "ndjson", "set", "A: b"],
    ["-t", "http", "-v", "remove", "server"],
    ["-t", "headers", "where", "status=200"],
    ["-t", "body", "inflate"],
    ["-t", "curl"],
    ["set", "A: b"],
    ["-t", "ndjson", "--fail-fast", "set", "A: b"],
    ["--errors", "json", "-v", "log"],
    ["count"], ["names"], ["lint"], ["get", "server"], ["get", "none"],
    ["test", "status=200"], ["test", "has:none"],
    ["--check", "-v", "remove", "server"], ["-n", "set", "A: b"], ["--diff", "remove", "server"],
)


def run(arguments, folder, files, **options):
    done = subprocess.run([program(), *arguments, *files], cwd=folder, env=ENVIRONMENT, capture_output=True,
                          stdin=subprocess.DEVNULL, check=False, timeout=120, **options)
    return done.returncode, done.stdout, done.stderr


def content(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def make(folder):
    """Files of any size: a long one early, broken ones between."""
    har = CASE.read_bytes()
    start, end = har.index(b"[", har.index(b'"entries"')) + 1, har.rindex(b"]")
    for number in range(FILES):
        times = {2: 60, 3: 1, 5: 30}.get(number, number // 4)
        data = har[:start] + b",".join([har[start:end]] * max(1, times)) + har[end:]
        if number in (17, 23):
            data = data[:len(data) // 2]
        if number == 30:
            data = b'{"log": []'
        (pathlib.Path(folder) / f"{number:02}.har").write_bytes(data)
    return [f"{number:02}.har" for number in range(FILES) if number != 11] + ["none.har"]


def same_answers(tally, folder, files):
    for chain in CHAINS:
        one = run(["-j1", *chain], folder, files)
        for jobs in ("-j2", "-j7", "-j0"):
            tally.check(f"{jobs} {' '.join(chain)}: as one by one", run([jobs, *chain], folder, files) == one)


def long_before_its_turn(tally, folder):
    """More than is held back waits for the turn, and is whole."""
    har = CASE.read_bytes()
    start, end = har.index(b"[", har.index(b'"entries"')) + 1, har.rindex(b"]")
    with scratch() as place:
        for name, times in (("a.har", 700), ("b.har", 2500), ("c.har", 1)):
            data = har[:start] + b",".join([har[start:end]] * times) + har[end:]
            (pathlib.Path(place) / name).write_bytes(data)
        files = ["a.har", "b.har", "c.har"]
        one = run(["-j1", "-t", "ndjson"], place, files)
        tally.check("an output of more than 8 MiB", len(one[1]) > 9 << 20)
        tally.check("more than is held back, with -j3: as one by one", run(["-j3", "-t", "ndjson"], place, files) == one)


def same_files(tally, folder, files):
    files = [name for name in files if (pathlib.Path(folder) / name).exists()]  # a missing one stops all before any work
    for option in (["-I"], ["-I", "--backup", "~"], ["--output-dir", "out"]):
        results = []
        for jobs in ("-j1", "-j2", "-j7"):
            with scratch() as copy:
                for name in os.listdir(folder):
                    shutil.copy(pathlib.Path(folder) / name, copy)
                answer = run([jobs, *option, "set", "A: b"], copy, files)
                results.append((answer, content(copy) if option != ["--output-dir", "out"] else
                                content(pathlib.Path(copy) / "out")))
        tally.check(f"{' '.join(option)} with -j: as one by one", results[0] == results[1] == results[2])


def reader_goes(tally, folder, files):
    for name, ignore in (("as usual", ""), ("ignored", "trap '' PIPE; ")):
        script = f"({ignore}\"$0\" -j4 -t ndjson \"$@\"; echo $? >status) 2>err | head -n 1 >/dev/null"
        subprocess.run(["sh", "-c", script, program(), *files], cwd=folder, env=ENVIRONMENT, check=True, timeout=60)
        status = (pathlib.Path(folder) / "status").read_text().strip()
        tally.check(f"a reader that goes, SIGPIPE {name}: 141, quietly",
                    status == "141" and not (pathlib.Path(folder) / "err").read_bytes().count(b"write"), status)


def measure(arguments, folder):
    """Seconds that passed, seconds of all cores."""
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program(), *arguments], cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (time.monotonic() - begin,
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def ratio(folder):
    """The best of nine of each, in turn, warm. What others take of the cores shows in the seconds that passed alone."""
    har = CASE.read_bytes()
    start, end = har.index(b"[", har.index(b'"entries"')) + 1, har.rindex(b"]")
    one = b",".join([har[start:end]] * ((SIZE << 20) // (end - start)))
    for number in range(FILES):
        (pathlib.Path(folder) / f"{number}.har").write_bytes(har[:start] + one + har[end:])
    files = [f"{number}.har" for number in range(FILES)]
    for chain in (["-t", "ndjson", "set", "A: b"], ["--check", "set", "A: b"],
                  ["--output-dir", "out", "set", "A: b"]):
        runs = {"-j1": [], "-j2": []}
        for _ in range(9):
            for jobs, measured in runs.items():
                measured.append(measure([jobs, *chain, *files], folder))
        wall = {jobs: min(one[0] for one in measured) for jobs, measured in runs.items()}
        cores = {jobs: min(one[1] for one in measured) for jobs, measured in runs.items()}
        print(f"{' '.join(chain)}: {wall['-j1']:.2f} s one by one, {wall['-j2']:.2f} s with -j2, ratio "
              f"{wall['-j1'] / wall['-j2']:.2f}; of all cores {cores['-j1']:.2f} and {cores['-j2']:.2f} s, which "
              f"leaves room for {2 * cores['-j1'] / cores['-j2']:.2f}")


def main():
    tally = Tally()
    with scratch() as folder:
        files = make(folder)
        same_answers(tally, folder, files)
        long_before_its_turn(tally, folder)
        same_files(tally, folder, files)
        reader_goes(tally, folder, files)
    if SIZE:
        with scratch() as folder:
            ratio(folder)
    tally.close()


main()
