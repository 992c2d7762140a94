#!/bin/sh
# From a fresh clone to a first result: installs what is missing (Debian 12), builds the release program,
# and runs it on messages as curl saved them.
set -eu
cd "$(dirname "$0")/.."
. tests/setup.sh

# shellcheck disable=SC2086  # a list of words
need $build_packages
mkdir -p build
echo "building (two minutes or so on two cores) ..."
if ! {
  cmake --preset release -DBUILD_TESTING=OFF && cmake --build build/release
} >build/quickstart.log 2>&1; then
  tail -n 20 build/quickstart.log
  exit 1
fi
program=build/release/src/rehead
PATH=$(dirname "$PWD/$program"):$PATH
data=examples/data

# show COMMAND: prints it, runs it
show() {
  printf '\n$ %s\n' "$1"
  sh -c "$1"
}

echo
echo "== curl -si has taken the chunks off, but the header still claims them:"
show "head -n 11 $data/decoded.http"
echo
echo "== The same, made true: no claim that does not hold, the length of what is there:"
show "rehead dechunk then inflate then content-length $data/decoded.http"

echo
echo "== A gzip body, opened; every header that described it is put right:"
show "rehead inflate then content-length $data/gzip.http | head -n 16"

echo
echo "== Cookies: one field per cookie, the last of equal ones, blank ones dropped:"
show "rehead merge-cookies $data/cookies.http | grep -i set-cookie"

echo
echo "== As one JSON object per message, for jq and friends:"
show "rehead remove 'x-*,server' then content-length --json --no-body $data/redirect.http"

echo
echo "== A HAR, cleaned: credentials, cookies and what servers tell about themselves; the rest byte for byte:"
chain="remove 'authorization,cookie,set-cookie,server,x-*'"
show "rehead $chain -o build/shop.clean.har $data/shop.har"
show "diff $data/shop.har build/shop.clean.har | head -n 12"
show "rehead --check $chain build/shop.clean.har && echo 'nothing left to remove'"

echo
echo "The program is $program. Next: $program --help, and the README."
