#!/bin/sh
# Share a HAR: hide what is secret, hold the copy against the same rules, keep a receipt.
set -eu
cd "$(dirname "$0")/data"
copy=$(mktemp)
trap 'rm -f "$copy"' EXIT

rehead --check redact --text visit.har 2>&1 | tail -n 1 || true
rehead redact --text --report "$copy.json" visit.har >"$copy"
trap 'rm -f "$copy" "$copy.json"' EXIT
rehead --check redact --text "$copy" && echo 'nothing left to hide'
jq -r '.files[].hidden[] | "\(.count) \(.kind)"' "$copy.json"
