#!/bin/sh
# A recorded answer, had the server been busy.
set -eu
cd "$(dirname "$0")/data"

rehead set ':status: 503' then set 'Retry-After: 5' then remove etag,set-cookie then \
  body '{"error":"busy"}' --if status=503 then last api.http
echo
