# Sourced by examples/quickstart.sh and tests/run.sh: Debian packages, installed where that is possible.
# shellcheck shell=sh

# What the build needs (Debian 12 names).
# shellcheck disable=SC2034  # for the scripts that source this
build_packages="g++ cmake ninja-build pkg-config libcli11-dev libre2-dev zlib1g-dev libdeflate-dev
  libbrotli-dev libzstd-dev libfmt-dev libexpected-dev nettle-dev"

# missing PACKAGE...: those that are not installed; nothing on a system without dpkg
missing() {
  command -v dpkg-query >/dev/null || return 0
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf ' %s' "$package"
  done
}

# need PACKAGE...: installs what is missing, as root or through sudo; false if it cannot
need() {
  wanted=$(missing "$@")
  [ -n "$wanted" ] || return 0
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      echo "missing packages, and no right to install them:$wanted" >&2
      echo "  as root: apt-get install$wanted" >&2
      return 1
    fi
    as_root=sudo
  fi
  echo "installing:$wanted"
  # shellcheck disable=SC2086  # a list of words
  $as_root env DEBIAN_FRONTEND=noninteractive sh -c '
    apt-get -qq update >/dev/null 2>&1 || true
    apt-get -qq install --no-install-recommends "$@" >/dev/null 2>&1' sh $wanted || {
    echo "apt-get could not install:$wanted" >&2
    return 1
  }
}
