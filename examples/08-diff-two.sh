#!/bin/sh
# Two responses side by side, without the noise of order and spelling.
set -eu
cd "$(dirname "$0")/data"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for file in chunked decoded; do
  rehead dechunk then lower then sort -t headers "$file.http" >"$work/$file"
done
diff "$work/chunked" "$work/decoded" && echo "the same head"
rehead where entry=6 then lower -t headers visit.har >"$work/6"
rehead where entry=7 then lower -t headers visit.har >"$work/7"
diff -u --label busy --label fine "$work/6" "$work/7" || true
