#!/usr/bin/env python3
"""The program's own tables beside help, man page, README, tests and examples: nothing missing, nothing invented.

Every example in `rehead help VERB`, in the man page and in README.md is run, in a scratch copy of examples/.
"""

import os
import re
import shutil
import subprocess

from laws.harness import ENVIRONMENT, ROOT, Run, Tally, clip, program, scratch

README = (ROOT / "README.md").read_text()
MAN = (ROOT / "man" / "rehead.1").read_text()


def section(text, start, end="\n\n"):
    """What stands between `start` and `end`, or nothing."""
    at = text.find(start)
    if at < 0:
        return ""
    at += len(start)
    stop = text.find(end, at)
    return text[at:] if stop < 0 else text[at:stop]


def helped(*words):
    return Run(["help", *words]).out.decode()


def verbs():
    """The verbs of --help: one line per group, its heading in the first column."""
    rows = section(helped(), "\nverbs (", "\n\n").split("\n")[1:]
    names = ", ".join(row[20:].strip().rstrip(",") for row in rows)
    names = re.sub(r"'[^']*'", "ARG", names)
    return [name.split()[0] for name in names.split(", ") if name.strip()]


def options_of(verb):
    rows = section(helped(verb), "\noptions:\n")
    return re.findall(r"^  (?:-\w, )?--([a-z-]+)", rows, re.MULTILINE)


def examples_of(verb):
    rows = section(helped(verb), "\nexamples:\n")
    return [row.strip() for row in rows.split("\n") if row.strip()]


def topics():
    return " ".join(section(helped(), "\ntopics: ").split()).split(", ")


def examples_in(topic):
    """The commands of a help topic: indented lines that begin with the program, with those they go on in."""
    commands = re.findall(r"^  (rehead (?:.*\\\n)*.*)$", helped(topic), re.MULTILINE)
    return [command.replace("\\\n", " ") for command in commands]


def offered(*words):
    """The words that completion offers behind these."""
    lines = Run(["__complete", *words, ""]).out.decode().splitlines()
    return [line.split("\t")[0] for line in lines if "\t" in line]


def man_section(name):
    return section(MAN, f"\n.Sh {name}\n", "\n.Sh ")


def man_verbs():
    """{verb: its paragraph} of the section VERBS."""
    parts = re.split(r"^\.It Cm ", man_section("VERBS"), flags=re.MULTILINE)[1:]
    return {verb: part for part in parts
            for verb in re.findall(r"(?:^|, Cm )([a-z-]+)", part.split("\n")[0])}


def global_options():
    return re.findall(r"--([a-z-]+)", "\n".join(
        line[:26] for line in helped("options").split("\n") if line.startswith("  ")))


def tables_agree(tally):
    listed = verbs()
    tally.check("help lists the verbs", len(listed) > 10 and "remove" in listed, listed)
    described = man_verbs()
    table = "\n".join(line for line in section(README, "\n## Verbs\n", "\n## ").split("\n")
                      if line.startswith("|"))
    for verb in listed:
        tally.check(f"man page describes {verb}", verb in described)
        tally.check(f"README's table has {verb}", re.search(rf"`{verb}[ `]", table))
        tally.check(f"help {verb} has two examples", len(examples_of(verb)) >= 2)
        for option in options_of(verb):
            if option == "if":  # every step has it, it is described once
                continue
            tally.check(f"man page describes {verb} --{option}",
                        re.search(rf"^\.It .*Fl -{option}\b", described.get(verb, ""), re.MULTILINE))
    tally.check("man page describes --if", re.search(r"^\.It Fl -if Ar expr$", MAN, re.MULTILINE))
    for verb in described:
        tally.check(f"{verb} of the man page is a verb", verb in listed)
    for verb in re.findall(r"`([a-z][a-z-]*)[ `]", table):
        tally.check(f"{verb} of README's table is a verb", verb in listed)

    in_help = global_options()
    in_man = re.findall(r"Fl -([a-z-]+)", "\n".join(
        line for line in man_section("OPTIONS").split("\n") if line.startswith(".It")))
    tally.check("help options lists the options", len(in_help) > 10, in_help)
    for option in re.findall(r"--([a-z-]+)", section(helped(), "\noptions (", "\n\n")):
        tally.check(f"--{option} of --help is an option", option in in_help)
    for option in in_help:
        tally.check(f"man page describes --{option}", option in in_man)
    for option in in_man:
        tally.check(f"--{option} of the man page is an option", option in in_help)

    pages = topics()
    tally.check("help lists the topics", len(pages) > 8, pages)
    named = re.findall(r"^\.Cm ([a-z-]+)", section(MAN, "\n.Ss Help\n", "\n.Sh "), re.MULTILINE)
    tally.check("man page names the topics", sorted(named[2:]) == sorted(pages), named)
    for topic in pages:
        tally.check(f"help {topic} says something", len(helped(topic)) > 100)
    tally.check("completion offers the verbs, and help", sorted(offered()) == sorted([*listed, "help"]))
    tally.check("completion offers the verbs behind then", sorted(offered("lower", "then")) == sorted(listed))
    tally.check("completion offers verbs and topics behind help",
                sorted(offered("help")) == sorted([*listed, *pages]))
    dashed = Run(["__complete", "a.http", "-"]).out.decode()
    tally.check("completion offers the options",
                sorted(re.findall(r"^--([a-z-]+)\t", dashed, re.MULTILINE)) == sorted(in_help))
    for verb in listed:
        words = re.findall(r"^--([a-z-]+)\t", Run(["__complete", verb, "-"]).out.decode(), re.MULTILINE)
        tally.check(f"completion offers the options of {verb}",
                    sorted(words) == sorted([*options_of(verb), *in_help]), words)

    for status in ("0", "1", "2", "3", "4", "5", "130", "141", "143"):
        for where, text in (("help exit-status", helped("exit-status")),
                            ("man page", man_section("EXIT STATUS")),
                            ("README", section(README, "\n## Exit status\n", "\n## "))):
            tally.check(f"{where} tells exit status {status}", re.search(rf"\b{status}\b", text))

    read_or_written = re.findall(r"^  ([a-z]+)", helped("formats"), re.MULTILINE)
    for name in read_or_written:
        tally.check(f"man page describes the format {name}",
                    re.search(rf"^\.It Cm {name}$", man_section("FORMATS"), re.MULTILINE))


def steps_are_whole(tally):
    """Each step has a source, a test file and a folder of golden cases of its name."""
    folders = {path.name for path in (ROOT / "tests" / "cases").glob("**/") if path.is_dir()}
    tests = {path.name for path in (ROOT / "tests").glob("*/*_test.cpp")}
    registered = (ROOT / "src" / "transform" / "registry.cpp").read_text()
    for source in sorted((ROOT / "src" / "transform").glob("*.cpp")):
        for constant, name in re.findall(r'TransformInfo (k\w+) = (?:\{\s*\.name = |compress_row\()"([a-z-]+)"',
                                         source.read_text()):
            tally.check(f"{name} stands in the registry", f"&{constant}," in registered)
            stems = [source.stem, *re.findall(r'#include "transform/(\w+)\.h"', source.read_text())]
            tally.check(f"{name} has a test file", any(f"{stem}_test.cpp" in tests for stem in stems),
                        f"tests/transform/{source.stem}_test.cpp")
            tally.check(f"{name} has golden cases", name in folders, f"a folder {name} in tests/cases")


def shell(command, folder):
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, timeout=60,
                          env=ENVIRONMENT | {"PATH": f"{folder}/bin:{ENVIRONMENT['PATH']}"},
                          stdin=subprocess.DEVNULL, check=False)


def matches(expected, got):
    """Line by line; a line `...` stands for any lines."""
    pattern = re.escape(expected).replace(re.escape("...") + r"\n", r"(?:.*\n)*?").replace(
        re.escape("...\n"), r"(?:.*\n)*?")
    return re.fullmatch(pattern, got)


def console_blocks():
    """(command, expected output) of README's console blocks."""
    for block in re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.split("\n")
            count = 1
            while lines[count - 1].endswith("\\"):
                count += 1
            yield "\n".join(lines[:count]), "\n".join(lines[count:])


def examples_run(tally):
    with scratch() as folder:
        shutil.copytree(ROOT / "examples", f"{folder}/examples")
        shutil.copy(ROOT / "README.md", folder)
        subprocess.run(["mkdir", f"{folder}/bin"], check=True)
        subprocess.run(["ln", "-s", os.path.abspath(program()), f"{folder}/bin/rehead"], check=True)
        commands = [(f"help {verb}", example) for verb in verbs() for example in examples_of(verb)]
        commands += [(f"help {topic}", example) for topic in topics() for example in examples_in(topic)]
        commands += [("man page", line) for line in re.findall(r"^\.Dl \$ (.*)$", MAN, re.MULTILINE)]
        for where, command in commands:
            done = shell(command.replace(r"\&", "").replace(r"\(aq", "'").replace(r"\e", "\\"), folder)
            tally.check(f"{where}: {command}", done.returncode in (0, 1) and b"error:" not in done.stderr,
                        f"status {done.returncode} {clip(done.stderr)}")
        for command, expected in console_blocks():
            if "| jq" in command and not shutil.which("jq"):
                tally.skip(f"README: {command}", "no jq here")
                continue
            done = shell(f"{{ {command}\n}} 2>&1", folder)
            got = done.stdout.decode().replace("\r\n", "\n")
            tally.check(f"README: {command}", matches(expected, got), f"expected\n{expected}\ngot\n{got}")


def tools_are_silent(tally):
    # Which other manuals are installed here is no finding about this one.
    lint = "mandoc -Tlint -W style man/rehead.1 2>/dev/null | grep -v 'referenced manual not found' || true"
    check = "git ls-files -co --exclude-standard '*.sh' '*.bash' .ci/run | xargs shellcheck -x"
    for tool, command in (("mandoc", lint), ("shellcheck", check)):
        if not shutil.which(tool):
            tally.skip(tool, f"no {tool} here")
            continue
        done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
        tally.check(f"{tool} has nothing to say", done.returncode == 0 and not done.stdout + done.stderr,
                    done.stdout + done.stderr)


def picture_is_the_table(tally):
    drawn = subprocess.run([str(ROOT / "tests/bench/plot.py")], capture_output=True, text=True, check=False)
    tally.check("speed.svg shows README's table", drawn.stdout == (ROOT / "tests/bench/speed.svg").read_text(),
                "tests/bench/plot.py > tests/bench/speed.svg" + drawn.stderr)


def main():
    tally = Tally()
    tables_agree(tally)
    steps_are_whole(tally)
    examples_run(tally)
    tools_are_silent(tally)
    picture_is_the_table(tally)
    tally.close()


main()
