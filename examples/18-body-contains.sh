#!/bin/sh
# Where does it say so? Bodies are decoded for the search and leave as they came.
set -eu
cd "$(dirname "$0")/data"

rehead where 'body ~ (?i)out.of.stock' then get :url visit.har
rehead where 'body ~ LMP-0111' then get :body chunked.http | grep -n LMP-0111
