#!/bin/sh
# Runs the numbered examples with the program just built and compares what they print with
# examples/expected/NAME.out. An example that ends with 77 lacks a tool and is skipped.
#
#   tests/examples.sh [--update]
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC
unset NO_COLOR COLUMNS SOURCE_DATE_EPOCH

program=${REHEAD:-}
if [ -z "$program" ]; then
  program=$(find build -type f -name rehead -perm -u+x -printf '%T@ %p\n' 2>/dev/null |
    sort -rn | head -n 1 | cut -d ' ' -f 2-)
fi
if [ ! -x "$program" ]; then
  echo "examples.sh: no program: build it first, or set REHEAD" >&2
  exit 2
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$(realpath "$program")" "$scratch/bin/rehead"
PATH=$scratch/bin:$PATH

passed=0
failed=0
skipped=0
for example in examples/[0-9]*.sh; do
  name=$(basename "$example" .sh)
  expected=examples/expected/$name.out
  status=0
  timeout 60 "$example" >"$scratch/out" 2>&1 </dev/null || status=$?
  tr -d '\r' <"$scratch/out" >"$scratch/shown"
  if [ $status -eq 77 ]; then
    skipped=$((skipped + 1))
    echo "skipped: $name: a tool it needs is not there"
  elif [ "${1:-}" = --update ] && [ $status -eq 0 ]; then
    cp "$scratch/shown" "$expected"
    passed=$((passed + 1))
  elif [ $status -eq 0 ] && cmp -s "$expected" "$scratch/shown"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name (exit $status)"
    diff -u --label expected --label got "$expected" "$scratch/shown" | sed 's/^/  /' || true
  fi
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
