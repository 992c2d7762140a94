#!/bin/sh
# A log that is written while the connection is still open: each line is there before the next
# message comes.
set -eu
cd "$(dirname "$0")/data"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkfifo "$work/in" "$work/out"
rehead log <"$work/in" >"$work/out" &
exec 3>"$work/in" 4<"$work/out"
cat api.http >&3
read -r line <&4
echo "after one: $line"
cat redirect.http >&3
read -r line <&4
echo "after two: $line"
exec 3>&-
wait
