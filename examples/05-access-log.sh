#!/bin/sh
# What a server would have logged of a recording.
set -eu
cd "$(dirname "$0")/data"

rehead log --format combined visit.har
