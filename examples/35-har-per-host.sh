#!/bin/sh
# One HAR for each host, one file for each image, out of a recorded visit.
set -eu
cd "$(dirname "$0")/data"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rehead -o "$work/{host}.har" visit.har
rehead where 'type=image/*' -t body -o "$work/images/{entry}{ext}" visit.har shop.har
cd "$work"
for file in *.har; do
  echo "$file: $(rehead count "$file") entries"
done
ls images
