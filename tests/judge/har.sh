#!/bin/sh
# Node's HTTP parser reads the raw HTTP that comes of HAR files; har-validator (npm, in NODE_MODULES or
# tests/node_modules) reads the HAR that comes of raw HTTP. Each is skipped where it is absent.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v node >/dev/null; then
  echo "skipped: judges of HAR: no node here"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
real=${REHEAD_CORPUS:-../shared}/har/real
[ -d "$real" ] || echo "note: $real is absent: only tests/data/har is judged"
# shellcheck disable=SC2046  # names without blanks
exec node tests/judge/har.mjs "${REHEAD:?names the program}" \
  --har tests/data/har/*/*.har examples/data/*.har $(find "$real" -name '*.har' 2>/dev/null) \
  --http tests/data/captures/*.out tests/data/captures/*.wire examples/data/*.http
