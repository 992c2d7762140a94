#!/bin/sh
# Speed beside other tools, on generated streams: prints a table, decides nothing. Takes about two minutes.
# Then what the header map costs in memory, where the benchmarks are built (cmake --preset bench).
#   tests/bench/compare.sh [--size MIB] [--rounds N] [--only TEXT]
# REHEAD names the program; default: the release build (cmake --preset release && ninja -C build/release).
set -eu
here=$(dirname "$0")
program=${REHEAD:-$here/../../build/release/src/rehead}
if [ ! -x "$program" ]; then
  echo "compare.sh: no $program: cmake --preset release && ninja -C build/release" >&2
  exit 2
fi
python3 "$here/compare.py" "$program" "$@"
inside=$here/../../build/bench/tests/bench/header_map_bench
if [ -x "$inside" ]; then
  echo
  exec "$inside" "$here/headers"
fi
