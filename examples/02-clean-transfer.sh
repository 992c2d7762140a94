#!/bin/sh
# curl -i has decoded this body but left the head of the wire; and the wire itself. Made true, both
# say the same.
set -eu
cd "$(dirname "$0")/data"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rehead dechunk then inflate then content-length decoded.http >"$work/curl"
rehead dechunk then inflate then content-length chunked.http >"$work/wire"
cmp "$work/curl" "$work/wire" && echo same
head -n 8 "$work/curl"
