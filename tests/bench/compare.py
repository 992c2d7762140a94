#!/usr/bin/env python3
"""rehead beside cat, sed, mawk, python and others on the same bytes: CPU time, interleaved rounds, ratios.

    compare.py PROGRAM [--size MIB] [--rounds N] [--only TEXT]

For each workload the first command is the baseline. The ratio is baseline / command, taken within each round
(so 2.0 = half the CPU time of the baseline), and printed as median with the lowest and highest round. Figures to
look at, never a pass or fail.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def generate(folder, name, *options):
    path = pathlib.Path(folder) / name
    with open(path, "wb") as out:
        subprocess.run([sys.executable, HERE / "generate.py", *options], stdout=out, check=True)
    return path


DROP_PY = """
import sys
body = 0
for line in sys.stdin.buffer:
    if body > 0:
        body -= len(line)
    elif line[:7].lower() == b"server:":
        continue
    elif line[:15].lower() == b"content-length:":
        size = int(line[15:])
    elif line == b"\\r\\n":
        body = size
    sys.stdout.buffer.write(line)
"""
GZIP_PY = """
import sys, zlib
read, write = sys.stdin.buffer, sys.stdout.buffer
size = 0
while line := read.readline():
    if line[:15].lower() == b"content-length:": size = int(line[15:])
    if line == b"\\r\\n":
        coder = zlib.compressobj(6, zlib.DEFLATED, 31)
        write.write(coder.compress(read.read(size)) + coder.flush())
"""
INFLATE_PY = """
import sys, zlib
read, write = sys.stdin.buffer, sys.stdout.buffer
size = 0
while line := read.readline():
    if line[:15].lower() == b"content-length:": size = int(line[15:])
    if line == b"\\r\\n":
        write.write(zlib.decompress(read.read(size), 31))
"""
HAR_PY = """
import json, sys
har = json.load(sys.stdin)
for entry in har["log"]["entries"]:
    r = entry["response"]
    r["headers"] = [h for h in r["headers"] if h["name"].lower() != "server"]
json.dump(har, sys.stdout)
"""
HAR_NODE = """
const har = JSON.parse(require('fs').readFileSync(0));
for (const {response: r} of har.log.entries) r.headers = r.headers.filter(h => h.name.toLowerCase() !== 'server');
process.stdout.write(JSON.stringify(har));
"""
HAR_JQ = '.log.entries[].response.headers |= map(select(.name|ascii_downcase != "server"))'


def har_of(folder, program, stream):
    """The stream as a HAR, or None while this program writes none."""
    path = pathlib.Path(folder) / "stream.har"
    with open(path, "wb") as out:
        done = subprocess.run([program, "-t", "har", stream], stdout=out, check=False,
                              stderr=subprocess.DEVNULL)
    return path if done.returncode == 0 and path.stat().st_size else None


def workloads(folder, program, size):
    """(title, [(label, shell command), ...]); the first is the baseline."""
    rehead = f"'{program}'"
    python = f"'{sys.executable}' -I -S"  # starts fastest so
    small = generate(folder, "small.http", "--size", str(size), "--body", "512-2048")
    large = generate(folder, "large.http", "--size", str(4 * size), "--body", "2048-204800")
    middle = generate(folder, "middle.http", "--size", str(size / 2), "--body", "51200-1048576")
    coded = generate(folder, "coded.http", "--size", str(size / 2), "--body", "51200-51200", "--coding", "gzip")
    little = generate(folder, "little.http", "--size", str(size / 2), "--body", "2048-2048", "--coding", "gzip")
    yield "raw, set one field, messages of 2 KB", [
        ("cat", f"cat {small} >/dev/null"),
        ("rehead", f"{rehead} set 'X-Bench: 1' {small} >/dev/null"),
        ("rehead, empty chain", f"{rehead} {small} >/dev/null")]
    yield "raw, expressions beside the empty chain, messages of 2 KB", [
        ("rehead, empty chain", f"{rehead} {small} >/dev/null"),
        ("rehead where status", f"{rehead} where status=200 {small} >/dev/null"),
        ("rehead where h: ~", f"{rehead} where 'h:content-type ~ ^text/ or status>=400' {small} >/dev/null")]
    yield "raw, set one field, bodies of 2-200 KB", [
        ("cat", f"cat {large} >/dev/null"),
        ("rehead", f"{rehead} set 'X-Bench: 1' {large} >/dev/null")]
    yield "the same between two pipes", [
        ("cat | cat | cat", f"cat {large} | cat | cat >/dev/null"),
        ("cat | rehead | cat", f"cat {large} | {rehead} set 'X-Bench: 1' | cat >/dev/null")]
    yield "raw, drop one field, messages of 2 KB", [
        ("rehead", f"{rehead} remove server {small} >/dev/null"),
        ("sed", f"sed '/^Server:/d' {small} >/dev/null"),
        ("mawk", f"mawk '!/^Server:/' {small} >/dev/null"),
        ("python loop", f"{python} -c '{DROP_PY}' <{small} >/dev/null")]
    yield "gzip, bodies of 50 KB to 1 MiB", [
        ("zlib level 6 (python)", f"{python} -c '{GZIP_PY}' <{middle} >/dev/null"),
        ("rehead", f"{rehead} gzip --types all {middle} >/dev/null")]
    yield "inflate, bodies of 50 KB", [
        ("zlib (python)", f"{python} -c '{INFLATE_PY}' <{coded} >/dev/null"),
        ("rehead", f"{rehead} inflate {coded} >/dev/null")]
    yield "inflate, bodies of 2 KB", [
        ("zlib (python)", f"{python} -c '{INFLATE_PY}' <{little} >/dev/null"),
        ("rehead", f"{rehead} inflate {little} >/dev/null")]
    har = har_of(folder, program, small)
    if har:
        yield "HAR, change one field per entry", [
            ("rehead", f"{rehead} remove server {har} >/dev/null"),
            ("cat", f"cat {har} >/dev/null"),
            ("jq", f"jq -c '{HAR_JQ}' {har} >/dev/null"),
            ("node", f"node -e \"{HAR_NODE}\" <{har} >/dev/null"),
            ("python", f"{python} -c '{HAR_PY}' <{har} >/dev/null")]
    yield "start-up, 100 times", [
        ("/bin/true", "i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i+1)); done"),
        ("rehead --version", f"i=0; while [ $i -lt 100 ]; do {rehead} --version >/dev/null; i=$((i+1)); done")]


def cpu_seconds(command):
    """User and system time of the command and all it waited for."""
    pid = os.posix_spawn("/bin/sh", ["/bin/sh", "-c", command], os.environ)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise RuntimeError(f"status {status}: {command}")
    return usage.ru_utime + usage.ru_stime


def tool_of(label):
    return "python3" if "python" in label else label.split()[0]


def measure(title, commands, rounds):
    commands = [(label, command) for label, command in commands
                if label.startswith("rehead") or shutil.which(tool_of(label)) or "zlib" in label]
    times = {label: [] for label, _ in commands}
    for _ in range(rounds):
        for label, command in commands:
            times[label].append(cpu_seconds(command))
    print(f"\n{title}")
    print(f"  {'':<24}{'CPU s':>9}{'lowest':>9}   ratio to the first (lowest .. highest round)")
    base = times[commands[0][0]]
    for label, _ in commands:
        own = times[label]
        ratios = [b / max(o, 1e-6) for b, o in zip(base, own)]
        print(f"  {label:<24}{statistics.median(own):>9.3f}{min(own):>9.3f}"
              f"   {statistics.median(ratios):.2f} ({min(ratios):.2f} .. {max(ratios):.2f})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--size", type=float, default=48, help="MiB of the small-message stream")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="workloads whose title holds this")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    print(version.splitlines()[0], f"- {os.cpu_count()} cores, {options.rounds} rounds,"
          " median CPU time (user + system)")
    with tempfile.TemporaryDirectory(prefix="rehead-bench-") as folder:
        for title, commands in workloads(folder, program, options.size):
            if options.only not in title:
                continue
            try:
                measure(title, commands, options.rounds)
            except RuntimeError as error:
                print(f"\n{title}\n  not measured: {error}")


main()
