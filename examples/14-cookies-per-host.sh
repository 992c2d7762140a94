#!/bin/sh
# Which host sets which cookies.
set -eu
cd "$(dirname "$0")/data"

rehead get --row :host,set-cookie visit.har |
  awk -F '\t' '$2 != "" { split($2, part, "="); print $1, part[1] }' | sort -u
