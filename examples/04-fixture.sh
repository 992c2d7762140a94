#!/bin/sh
# A response for snapshot tests: decoded, in a fixed order, without what changes from run to run.
set -eu
cd "$(dirname "$0")/data"

rehead inflate then remove 'date,x-*,set-cookie' then lower then sort then content-length gzip.http |
  head -n 8
