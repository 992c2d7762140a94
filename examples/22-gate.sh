#!/bin/sh
# A gate in the middle of a pipe: what passes is written, the exit status tells whether all was well.
# (An expression holds if one instance of a field does; whether all cookies are safe tells lint.)
set -eu
cd "$(dirname "$0")/data"

rehead test 'status<500 or has:retry-after' then test 'status!=404' then where status=200 then get :url visit.har ||
  echo "exit $?"
rehead lint visit.har | grep 'cookie-weak.*HttpOnly' || true
