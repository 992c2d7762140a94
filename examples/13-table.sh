#!/bin/sh
# Rows of status, URL and type: for sort, uniq and awk.
set -eu
cd "$(dirname "$0")/data"

rehead get --row --header :status,:method,:url,:type visit.har
echo
rehead get --row :type visit.har | sort | uniq -c | sort -nr | awk '{ print $1, $2 }' | head -n 1
