#!/bin/sh
# URLs a shared cache may be warmed with: public answers that stay fresh for an hour.
set -eu
cd "$(dirname "$0")/data"

rehead where 'method=GET and status=200 and h:cache-control ~ public' then get --row :url,cache-control visit.har |
  awk -F '\t' '{ split($2, part, "max-age="); if (part[2] >= 3600) print $1 }'
