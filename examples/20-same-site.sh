#!/bin/sh
# SameSite on every cookie that has none.
set -eu
cd "$(dirname "$0")/data"

rehead set-cookie '*; SameSite=Lax' --if 'has:set-cookie and h:set-cookie !~ (?i)samesite' then \
  get --row :host,set-cookie visit.har | awk -F '\t' '$2 != ""'
