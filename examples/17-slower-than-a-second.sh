#!/bin/sh
# What took longer than a second, the slowest first.
set -eu
cd "$(dirname "$0")/data"

rehead where 'ms>1000' then get --row :ms,:status,:url visit.har | sort -nr
