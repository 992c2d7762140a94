#!/bin/sh
# Node's HTTP parser reads what rehead writes: every capture and sample through every chain.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v node >/dev/null; then
  echo "skipped: node's parser as judge of our output: no node here"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
exec node tests/judge/judge.mjs "${REHEAD:?names the program}" \
  tests/data/captures/*.out tests/data/captures/*.wire examples/data/*.http
