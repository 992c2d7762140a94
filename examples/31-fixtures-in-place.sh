#!/bin/sh
# A folder of recorded answers, cleaned where it lies: the old files stay beside, a second run has nothing to do.
set -eu
cd "$(dirname "$0")/data"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp redirect.http gzip.http cookies.http post.http "$work"
cd "$work"

clean() { rehead "$@" remove 'date,server,x-powered-by,x-request-id,set-cookie' then lower ./*.http; }
clean -I --backup .orig
ls
diff redirect.http.orig redirect.http | tr -d '\r' | head -n 8
clean --check && echo "nothing left to do"
