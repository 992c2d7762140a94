#!/bin/sh
# Golden cases: tests/cases/<area>/<name>/ holds
#   cmd      run by sh in a scratch copy of the folder, with rehead on PATH
#   in       stdin, if it is there; other files stand beside cmd under their own names
#   out err  what is expected on stdout and stderr, byte for byte; none = nothing is written
#   status   the exit status; none = 0
#
#   tests/run_cases.sh [--update] [AREA | AREA/NAME]...
#
# --update writes out, err and status as they are now: read the diff before you commit it.
# REHEAD names the program (default: the newest one under build/).
set -eu
cd "$(dirname "$0")/.."
root=$PWD
export LC_ALL=C TZ=UTC
unset NO_COLOR COLUMNS SOURCE_DATE_EPOCH

update=no
if [ "${1:-}" = --update ]; then
  update=yes
  shift
fi

program=${REHEAD:-}
if [ -z "$program" ]; then
  program=$(find build -type f -name rehead -perm -u+x -printf '%T@ %p\n' 2>/dev/null |
    sort -rn | head -n 1 | cut -d ' ' -f 2-)
fi
if [ ! -x "$program" ]; then
  echo "run_cases.sh: no program: build it first, or set REHEAD" >&2
  exit 2
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
mkdir "$scratch/bin"
ln -s "$(realpath "$program")" "$scratch/bin/rehead"
PATH=$scratch/bin:$PATH
export TMPDIR="$scratch"

list=$scratch/list
if [ $# -eq 0 ]; then set -- ''; fi
for area in "$@"; do
  area=${area#tests/cases/}
  folder=tests/cases/${area%/}
  if [ ! -d "$folder" ]; then
    echo "run_cases.sh: no case called $area" >&2
    exit 2
  fi
  find "$folder" -name cmd >>"$list"
done
sort -u -o "$list" "$list"

# as_expected EXPECTED GOT: equal bytes, where no file means nothing at all
as_expected() {
  if [ -e "$1" ]; then cmp -s "$1" "$2"; else [ ! -s "$2" ]; fi
}

# keep GOT FILE: for --update; what is empty needs no file
keep() {
  if [ -s "$1" ]; then cp "$1" "$2"; else rm -f "$2"; fi
}

# difference EXPECTED GOT TITLE
difference() {
  expected=$1
  [ -e "$expected" ] || expected=/dev/null
  printf '  %s:\n' "$3"
  cat -A "$expected" >"$scratch/expected"
  cat -A "$2" | diff -u --label expected --label got "$scratch/expected" - | sed 's/^/    /' || true
}

passed=0
failed=0
while IFS= read -r cmd; do
  folder=$root/${cmd%/cmd}
  name=${folder#"$root/tests/cases/"}
  work=$scratch/work
  cp -R "$folder" "$work"
  cd "$work"
  rm -f out err status
  input=/dev/null
  [ -e in ] && input=in
  status=0
  timeout 60 sh "$folder/cmd" <"$input" >"$scratch/out" 2>"$scratch/err" || status=$?
  cd "$root"
  if [ $status -eq 0 ]; then : >"$scratch/status"; else echo $status >"$scratch/status"; fi
  if as_expected "$folder/out" "$scratch/out" && as_expected "$folder/err" "$scratch/err" &&
    as_expected "$folder/status" "$scratch/status"; then
    passed=$((passed + 1))
  elif [ $update = yes ]; then
    for part in out err status; do keep "$scratch/$part" "$folder/$part"; done
    echo "updated $name"
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $name"
    sed 's/^/  $ /' "$folder/cmd"
    for part in out err status; do
      as_expected "$folder/$part" "$scratch/$part" ||
        difference "$folder/$part" "$scratch/$part" "$part"
    done
  fi
  rm -rf "$work"
done <"$list"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
