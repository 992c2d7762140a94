#!/bin/sh
# A browser replays the HAR files we write: see replay.mjs. Skipped where node, playwright-core or a Chromium is absent.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v node >/dev/null; then
  echo "skipped: replay of our HAR in a browser: no node here"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
exec node tests/judge/replay.mjs "${REHEAD:?names the program}"
