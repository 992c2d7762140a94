#!/bin/sh
# Many files over several hosts with GNU parallel. Two servers on loopback ports stand for the hosts: own keys, own
# configuration, gone at the end. The program is one file, so it travels along (--basefile).
set -eu
cd "$(dirname "$0")/data"
sshd=/usr/sbin/sshd
for tool in "$sshd" ssh ssh-keygen parallel rsync; do
  command -v "$tool" >/dev/null || exit 77
done
parallel --version 2>/dev/null | grep -q '^GNU parallel' || exit 77
work=$(mktemp -d)
servers=
made_run=
# shellcheck disable=SC2317  # called by the trap
end() {
  for pid in $servers; do
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  rm -rf "$work"
  [ -z "$made_run" ] || rmdir /run/sshd 2>/dev/null || true
}
trap end EXIT
trap 'exit 1' INT TERM
# As root, sshd wants this folder.
if [ "$(id -u)" -eq 0 ] && [ ! -d /run/sshd ]; then
  mkdir -m 755 /run/sshd || exit 77
  made_run=yes
fi

ssh-keygen -q -t ed25519 -N '' -f "$work/key"
# serve NAME: an sshd on a free port of the loopback, and the way to it in $work/config
serve() {
  ssh-keygen -q -t ed25519 -N '' -f "$work/$1.key"
  for try in 0 1 2 3 4 5 6 7; do
    port=$((20000 + ($$ * 7 + try * 1013 + ${#servers} * 101) % 30000))
    cat >"$work/$1.conf" <<CONF
Port $port
ListenAddress 127.0.0.1
HostKey $work/$1.key
PidFile $work/$1.pid
AuthorizedKeysFile $work/key.pub
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
CONF
    "$sshd" -D -e -f "$work/$1.conf" 2>"$work/$1.log" &
    pid=$!
    until [ -s "$work/$1.pid" ] || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    if [ -s "$work/$1.pid" ]; then
      servers="$servers $pid"
      cat >>"$work/config" <<CONF
Host $1
  HostName 127.0.0.1
  Port $port
  User $(id -un)
  IdentityFile $work/key
  IdentitiesOnly yes
  BatchMode yes
  StrictHostKeyChecking accept-new
  UserKnownHostsFile $work/known_hosts
  LogLevel ERROR
CONF
      echo "1/ssh -F $work/config $1" >>"$work/hosts"
      return
    fi
  done
  return 77
}
serve one
serve two
ssh -F "$work/config" one true || exit 77  # this account may not log in

mkdir "$work/site" "$work/remote"
for i in 1 2 3 4; do
  cp visit.har "$work/site/$i.har"
done
cp "$(command -v rehead)" "$work/site/rehead"
cd "$work/site"
export PARALLEL_HOME="$work/parallel"
mkdir "$PARALLEL_HOME"

parallel --will-cite --sshloginfile "$work/hosts" --workdir "$work/remote" --joblog "$work/jobs" \
  --basefile rehead --transferfile '{}' --return '{.}.clean.har' --cleanup \
  "./rehead merge-cookies then remove 'x-*,authorization' {} -o {.}.clean.har" ::: [1-4].har

awk -F '\t' 'NR > 1 { failed += $7 != 0 } END { print NR - 1 " files, " failed + 0 " failed" }' "$work/jobs"
echo "$(cut -f 2 "$work/jobs" | sed 1d | sort -u | wc -l) hosts"
for i in 1 2 3 4; do
  rehead merge-cookies then remove 'x-*,authorization' "$i.har" | cmp - "$i.clean.har"
done
echo "as on one host"
