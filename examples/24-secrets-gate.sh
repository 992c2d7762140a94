#!/bin/sh
# A gate for continuous integration: no fixture may hold a secret. One that tests need is named.
set -eu
cd "$(dirname "$0")/data"

for file in api.http cookies.http redirect.http; do
  if rehead -q --check redact --text --keep theme,lang "$file"; then
    echo "$file: clean"
  else
    echo "$file: holds secrets, see: rehead --check redact $file"
  fi
done
