#!/bin/sh
# Failed requests, one JSON object each, for jq.
set -eu
cd "$(dirname "$0")/data"

command -v jq >/dev/null || exit 77
rehead where 'status>=400' --json --no-body visit.har |
  jq -r '[.status, .method, .url, (.response.headers | map(.[0]) | join(" "))] | @tsv'
