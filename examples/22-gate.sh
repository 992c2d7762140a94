#!/bin/sh
# A gate in the middle of a pipe: what passes is written, the exit status tells whether all was well.
set -eu
cd "$(dirname "$0")/data"

rehead test 'not has:set-cookie or h:set-cookie ~ (?i)httponly' then where status=200 then get :url visit.har ||
  echo "exit $?"
