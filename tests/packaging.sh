#!/bin/sh
# What is shipped: the static program, `cmake --install`, and the Debian package, which is built, looked at and
# unpacked into a scratch folder; nothing is installed on this machine.
#
#   tests/packaging.sh BUILD        the folder of a release build
# shellcheck disable=SC2317  # functions are called by check
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")/.."
export LC_ALL=C
program=${REHEAD:-$build/src/rehead}
version=$(sed -n 's/^project(rehead VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

passed=0
failed=0
skipped=0
# check NAME COMMAND...: passes if the command does
check() {
  name=$1
  shift
  if "$@" >"$scratch/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED %s: %s\n' "$name" "$*"
    tail -n 20 "$scratch/log" | sed 's/^/  /'
  fi
}
skip() {
  skipped=$((skipped + 1))
  echo "skipped: $1"
}
finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
  exit
}

is_static() { ! ldd "$1" || ldd "$1" 2>&1 | grep -q 'statically linked'; }
tells_version() {
  [ "$("$1" --version | head -n 1)" = "rehead $version" ] &&
    "$1" --version | sed -n 2p | grep -Eq '^features: zlib [0-9].*, libdeflate [0-9].*, brotli [0-9].*, zstd [0-9]'
}
man_is_whole() { gzip -dc "$1/share/man/man1/rehead.1.gz" | cmp - man/rehead.1; }
example_runs() { # example_runs PREFIX: from where it was installed
  PATH=$1/bin:$PATH "$1/share/doc/rehead/examples/01-one-header.sh" >"$scratch/example" &&
    cmp "$scratch/example" "$1/share/doc/rehead/examples/expected/01-one-header.out"
}
# installed PREFIX ZSH-FOLDER
installed() {
  check "installed: the version" tells_version "$1/bin/rehead"
  check "installed: the manual page" man_is_whole "$1"
  check "installed: bash" cmp "$1/share/bash-completion/completions/rehead" src/cli/completion/rehead.bash
  check "installed: zsh" cmp "$1/share/zsh/$2/_rehead" src/cli/completion/_rehead
  check "installed: fish" cmp "$1/share/fish/vendor_completions.d/rehead.fish" src/cli/completion/rehead.fish
  check "installed: README" cmp "$1/share/doc/rehead/README.md" README.md
  check "installed: an example" example_runs "$1"
}

check "the program is static" is_static "$program"
check "cmake --install" cmake --install "$build" --prefix "$scratch/usr"
installed "$scratch/usr" site-functions

if ! command -v dpkg-shlibdeps >/dev/null || ! command -v cpack >/dev/null; then
  skip "the Debian package: no dpkg-shlibdeps or cpack here"
  finish
fi
launcher=
command -v ccache >/dev/null && launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
deb=$build/deb
# shellcheck disable=SC2086  # one word or none
check "the Debian package: configure" cmake --preset deb -B "$deb" -DREHEAD_WERROR=ON $launcher
rm -f "$deb"/*.deb
check "the Debian package: build" cmake --build "$deb" --parallel 2 --target package
package=$(find "$deb" -maxdepth 1 -name '*.deb')
if [ ! -f "$package" ]; then
  check "the Debian package is there" false
  finish
fi

field() { dpkg-deb -f "$package" "$1"; }
# Each library the program asks for belongs to a package that Depends names.
depends_on_all() {
  objdump -p "$root/usr/bin/rehead" | sed -n 's/^ *NEEDED *//p' >"$scratch/needed"
  grep -q . "$scratch/needed" || return
  while read -r library; do
    path=$(ldd "$root/usr/bin/rehead" | awk -v name="$library" '$1 == name { print $3 }')
    owner=$(dpkg-query -S "$path" "/usr$path" 2>/dev/null | head -n 1 | cut -d : -f 1)
    field Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//' | grep -qxF "$owner" || { echo "$library of $owner"; return 1; }
  done <"$scratch/needed"
}
owned_by_root() { ! dpkg-deb -c "$package" | grep -v ' root/root '; }
no_write_for_others() { ! dpkg-deb -c "$package" | grep -v -- '->' | grep -E '^.{5}w|^.{8}w'; }
root=$scratch/root
dpkg-deb -x "$package" "$root"
check "the package is called rehead $version" test "$(field Package) $(field Version)" = "rehead $version-1"
check "its file has the usual name" test "$(basename "$package")" = "rehead_$version-1_$(dpkg --print-architecture).deb"
check "it depends on the libraries the program needs" depends_on_all
check "its files belong to root" owned_by_root
check "its files are for root alone to write" no_write_for_others
installed "$root/usr" vendor-completions
for file in copyright changelog.gz changelog.Debian.gz; do
  check "it has $file" test -s "$root/usr/share/doc/rehead/$file"
done
check "its copyright is that of LICENSE" grep -q 'THE SOFTWARE IS PROVIDED "AS IS"' "$root/usr/share/doc/rehead/copyright"

# Who builds the package gives an address (REHEAD_MAINTAINER) and reports to Debian; a test has neither.
about_maintainer=bogus-mail-host,bogus-mail-host-in-debian-changelog,root-in-contact,initial-upload-closes-no-bugs
no_complaints() { ! lintian --no-cfg --allow-root --suppress-tags "$about_maintainer" "$package" | grep .; }
if command -v lintian >/dev/null; then
  check "lintian has nothing to say" no_complaints
else
  skip "lintian is not here"
fi
finish
