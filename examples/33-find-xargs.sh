#!/bin/sh
# find picks the files, xargs hands them over, as many at a time as a command line holds; names may hold anything.
set -eu
cd "$(dirname "$0")/data"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/a b/c" "$work/d"
cp redirect.http "$work/a b/one.http"
cp cookies.http "$work/a b/c/it's.http"
cp gzip.http "$work/d/-three.http"
cd "$work"

# Which of them set a cookie? (-- ends the options: a name may begin with a dash)
find . -name '*.http' -print0 | xargs -0 rehead where has:set-cookie then get -H :status --
# In two processes, each with two files at most; all is well if each one was.
find . -name '*.http' -print0 | xargs -0 -P 2 -n 2 rehead -I remove set-cookie --
find . -name '*.http' -exec rehead --check remove set-cookie -- {} + && echo clean
