#!/usr/bin/env python3
"""Draws the table of README's section Speed as an SVG: rehead beside the others, bars on a logarithmic scale.

    tests/bench/plot.py > tests/bench/speed.svg

The figures are those of the table, which tests/bench/compare.sh printed; a test holds the picture against them.
"""

import html
import math
import pathlib
import re

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
LEFT, WIDTH, ROW, GAP = 96, 440, 18, 34


def table():
    """(workload, [(tool, seconds)], rehead first), of the rows that name tools with a time."""
    text = README.read_text()
    for line in text[text.index("\n## Speed"):].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        own = re.fullmatch(r"([0-9.]+) s", cells[1]) if len(cells) == 3 else None
        if own is None:
            continue
        others = re.findall(r"(?:a )?([a-z]+)(?: loop)? ([0-9.]+) s", cells[2])
        if len(others) > 1:
            yield cells[0], [("rehead", float(own[1]))] + [(tool, float(seconds)) for tool, seconds in others]


def bar(seconds, least, most):
    return 4 + WIDTH * math.log(seconds / least) / math.log(most / least)


def draw():
    groups = list(table())
    times = [seconds for _, bars in groups for _, seconds in bars]
    least, most = min(times), max(times)
    out, y = [], 8
    for workload, bars in groups:
        y += 14
        out.append(f'<text x="8" y="{y}" font-weight="bold">{html.escape(workload)}</text>')
        y += 8
        for tool, seconds in sorted(bars, key=lambda one: one[1]):
            size = bar(seconds, least, most)
            colour = "#1a7f64" if tool == "rehead" else "#9aa5b1"
            out.append(f'<text x="{LEFT - 8}" y="{y + 13}" text-anchor="end">{tool}</text>'
                       f'<rect x="{LEFT}" y="{y + 2}" width="{size:.0f}" height="{ROW - 4}" fill="{colour}"/>'
                       f'<text x="{LEFT + size + 6:.0f}" y="{y + 13}">{seconds:g} s</text>')
            y += ROW
        y += GAP - ROW
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{y + 16}" viewBox="0 0 640 {y + 16}" '
            'font-family="sans-serif" font-size="12" fill="#24292f">\n<rect width="100%" height="100%" fill="#ffffff"/>')
    foot = f'<text x="8" y="{y + 8}" fill="#57606a">CPU seconds, logarithmic; shorter is better</text>\n</svg>'
    print("\n".join([head, *out, foot]))


draw()
