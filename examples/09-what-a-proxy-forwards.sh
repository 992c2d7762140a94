#!/bin/sh
# What is left when everything is gone that is meant for one connection only.
set -eu
cd "$(dirname "$0")/data"

rehead strip-hop then add 'Via: 1.1 proxy' -t headers decoded.http
