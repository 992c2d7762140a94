#!/bin/sh
# Many files at once into another folder: as many as there are cores, the same result as one after the other, and
# one bad file does not stop the others.
set -eu
cd "$(dirname "$0")/data"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir recorded
i=0
while [ $i -lt 40 ]; do
  i=$((i + 1))
  cp "$OLDPWD/visit.har" "recorded/$i.har"
done

rehead -j 0 --output-dir clean merge-cookies then remove 'x-*,authorization' recorded/*.har
rehead -j 1 --output-dir one-by-one merge-cookies then remove 'x-*,authorization' recorded/*.har
set -- clean/*
diff -r clean one-by-one && echo "$# files, the same"

# The browser died while it wrote this one.
head -c 3000 recorded/7.har >recorded/cut.har
rehead -q -j 0 --output-dir again remove 'x-*' recorded/*.har || echo "exit $?"
set -- again/*
echo "$# files"
