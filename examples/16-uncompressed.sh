#!/bin/sh
# Text that travels uncompressed, the largest first.
set -eu
cd "$(dirname "$0")/data"

rehead where 'type=text/*,application/json,application/javascript and not has:content-encoding and size>0' \
  then get --row :size,:type,:url visit.har | sort -nr
