#!/bin/sh
# Good answers that say nothing about caching.
set -eu
cd "$(dirname "$0")/data"

rehead where 'status=2xx and not has:cache-control and not has:expires' then get :url visit.har
