#!/bin/sh
# One header from 500 files, with their names.
set -eu
cd "$(dirname "$0")/data"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

i=0
while [ $i -lt 500 ]; do
  i=$((i + 1))
  cp redirect.http "$work/$i.http"
done
cd "$work"
find . -name '*.http' -print0 | xargs -0 rehead last then get -H server | sort -V | tail -n 2
find . -name '*.http' -print0 | xargs -0 rehead last then get server | sort | uniq -c | awk '{ print $1, $2 }'
