#!/bin/sh
# One recorded request again: as bytes for nc, and as a curl command.
set -eu
cd "$(dirname "$0")/data"

rehead where 'method=POST' then first 1 -s request -t http visit.har # | nc api.example.com 80
echo
rehead where 'method=POST' then first 1 -t curl visit.har
