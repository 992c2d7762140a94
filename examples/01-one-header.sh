#!/bin/sh
# One header into a variable: of a chain of redirects the last answer's, and no CR at its end.
set -eu
cd "$(dirname "$0")/data"

type=$(rehead last then get content-type redirect.http)
printf 'type <%s>\n' "$type"
etag=$(rehead get etag --default none redirect.http | tail -n 1)
printf 'etag <%s>\n' "$etag"
# A repeated field gives a line each.
rehead get set-cookie cookies.http
