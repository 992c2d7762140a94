"""What the law scripts share: the program under test, one run of it, and the tally they end with."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPTURES = ROOT / "tests" / "data" / "captures"


def program():
    """REHEAD, else the newest program under build/."""
    named = os.environ.get("REHEAD")
    if named:
        return named
    built = [path for path in (ROOT / "build").glob("*/**/rehead") if os.access(path, os.X_OK)]
    built = [path for path in built if path.is_file()]
    if not built:
        sys.exit("no program: build it first, or set REHEAD")
    return str(max(built, key=lambda path: path.stat().st_mtime))


class Run:
    """One run to its end. A hang is a status of its own, no Python error."""

    def __init__(self, arguments, data=b"", timeout=60):
        try:
            done = subprocess.run([program(), *arguments], input=data, capture_output=True,
                                  timeout=timeout, env=ENVIRONMENT, check=False)
            self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            self.status, self.out, self.err = "hang", late.stdout or b"", late.stderr or b""

    def messages(self):
        return [json.loads(line) for line in self.out.splitlines()]


ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("NO_COLOR", "COLUMNS", "SOURCE_DATE_EPOCH")} | {"LC_ALL": "C"}


class Tally:
    """Counts checks, shows what failed, and prints the line tests/run.sh adds up."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, name, holds, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {name}")
            if detail:
                print("  " + str(detail).replace("\n", "\n  "))

    def skip(self, name, why):
        self.skipped += 1
        print(f"skipped: {name}: {why}")

    def close(self):
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        print(f"{self.passed} passed, {self.failed} failed{skipped}")
        sys.exit(1 if self.failed else 0)


def clip(data, size=400):
    """Bytes for a person to read, in a message about a failure."""
    return repr(data if len(data) <= size else data[:size] + b"...")


def scratch():
    return tempfile.TemporaryDirectory(prefix="rehead-test-")


def counted(arguments, data, folder):
    """Instructions of one run over a file of these bytes (callgrind); 0 if valgrind counted nothing."""
    path = os.path.join(folder, "in")
    with open(path, "wb") as file:
        file.write(data)
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program(), *arguments, path],
                          capture_output=True, env=ENVIRONMENT, check=False)
    found = re.search(rb"Collected : (\d+)", done.stderr)
    return int(found[1]) if found else 0
