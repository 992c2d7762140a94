#!/bin/sh
# Everything, from a fresh clone: installs what is missing (Debian), builds, tests.
#   tests/run.sh [--quick]      --quick: the release build and its tests only
#
# Three builds: release with g++ (all tests), g++ and clang++ with AddressSanitizer and
# UndefinedBehaviorSanitizer (unit tests and golden cases), all with warnings as errors.
# The last line is `N passed, N failed` and, if any, `, N skipped`: unit cases, golden cases and the checks
# of each script counted once; each sanitizer run counts as one.
set -eu
cd "$(dirname "$0")/.."
. tests/setup.sh
quick=no
[ "${1:-}" = --quick ] && quick=yes

passed=0
failed=0
skipped=0
notes=$(mktemp)
trap 'rm -f "$notes"' EXIT

skip() {
  skipped=$((skipped + 1))
  echo "skipped: $1" >>"$notes"
}

fail() {
  failed=$((failed + 1))
  echo "FAILED: $1" >>"$notes"
}

finish() {
  echo
  cat "$notes"
  tail=
  [ "$skipped" -gt 0 ] && tail=", $skipped skipped"
  echo "$passed passed, $failed failed$tail"
  [ "$failed" -eq 0 ]
  exit
}

# build PRESET: configures and builds, warnings are errors; of debug information only what a stack trace needs
build() {
  echo
  echo "== $1: build"
  launcher=
  command -v ccache >/dev/null && launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
  if ! {
    cmake --preset "$1" -DREHEAD_WERROR=ON -DBUILD_TESTING=ON -DCMAKE_CXX_FLAGS_DEBUG=-g1 $launcher &&
      cmake --build "build/$1"
  } >"build/$1.log" 2>&1; then
    tail -n 40 "build/$1.log"
    return 1
  fi
}

# counts LOG: `passed failed skipped` of a ctest log; a test that prints no count is one
counts() {
  awk '
    function close_test() {
      if (!open) return
      if (!counted) { if (good) p++; else f++ }
      else if (!good && !bad) f++
      open = 0
    }
    /^[0-9]+\/[0-9]+ Testing: / { close_test(); open = 1; counted = good = bad = 0; next }
    /^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ { counted = 1; p += $1; f += $3; s += $5; bad += $3 }
    /^All tests passed \(.* in [0-9]+ test cases?\)/ { counted = 1; for (i = 1; i < NF; i++) if ($i == "in") p += $(i + 1) }
    /^test cases: / { counted = 1; for (i = 2; i < NF; i++) {
      if ($(i + 1) == "passed") p += $i
      if ($(i + 1) == "failed") { f += $i; bad += $i } } }
    /^Test Passed\.$/ { good = 1 }
    END { close_test(); print p + 0, f + 0, s + 0 }' "$1"
}

mkdir -p build
# shellcheck disable=SC2086  # lists of words
need $build_packages catch2 libsimdjson-dev python3 || {
  fail "packages"
  finish
}
# The Debian package's build takes from it what the release build has compiled.
command -v ccache >/dev/null || need ccache || true
[ -w "${HOME:-/}" ] || export CCACHE_DIR="$PWD/build/ccache"
export CCACHE_SLOPPINESS=pch_defines,time_macros  # what it asks for where headers are precompiled
for package in curl nodejs mandoc shellcheck jq zsh fish; do
  # nodejs may have come from elsewhere than Debian
  command -v "${package%js}" >/dev/null || need $package || skip "$package is not here: tests that need it are skipped"
done

if build release; then
  echo "== release: tests"
  ctest --test-dir build/release --parallel 2 --output-on-failure || true
  log=build/release/Testing/Temporary/LastTest.log
  read -r p f s <<COUNTS
$(counts $log)
COUNTS
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  grep '^skipped: ' $log >>"$notes" || true
else
  fail "release: build"
fi

# sanitized PRESET: one test, the unit tests and golden cases under the sanitizers
sanitized() {
  if build "$1" && echo "== $1: tests" &&
    ctest --test-dir "build/$1" --parallel 2 --output-on-failure -R '^(unit|cases|fuzz-corpus-.*)$'; then
    passed=$((passed + 1))
  else
    fail "$1: build, unit tests and golden cases under the sanitizers"
  fi
}

# clang_sanitizes: whether clang++ is here, with the libraries of its sanitizers
clang_sanitizes() {
  echo 'int main() {}' | clang++ -x c++ -fsanitize=address,undefined -o build/clang-sanitizes - >/dev/null 2>&1
}

if [ $quick = no ]; then
  sanitized dev
  clang_sanitizes || need clang libclang-rt-14-dev || true
  if clang_sanitizes; then
    sanitized clang
  else
    skip "clang: no clang++ with sanitizers here (clang, libclang-rt-14-dev), and none could be installed"
  fi
fi
finish
