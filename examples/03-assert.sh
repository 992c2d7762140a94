#!/bin/sh
# Assertions in a script: the note says what was found, the exit status what to do.
set -eu
cd "$(dirname "$0")/data"

if rehead last then test 'status=200 and type=text/html and size>100' redirect.http; then
  echo "the page is there"
fi
rehead test 'has:cache-control and h:x-ratelimit-remaining>=600' gzip.http || echo "exit $?"
