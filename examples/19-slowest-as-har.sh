#!/bin/sh
# The three slowest entries as a HAR of their own, every byte of them as recorded.
set -eu
cd "$(dirname "$0")/data"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rehead get --row :entry,:ms visit.har | sort -k 2 -nr | head -n 3 |
  rehead nth @- -o "$work/slowest.har" visit.har
rehead get --row :ms,:status,:url "$work/slowest.har"
rehead where entry=4 visit.har >"$work/4.har"
rehead where 'ms>1480 and ms<1481' "$work/slowest.har" >"$work/again.har"
cmp "$work/4.har" "$work/again.har" && echo "entry 4 is the same in both"
