#!/bin/sh
# A whole online game on this machine: a relay, a host and a guest, both played by the computer. Usage: both-auto.sh [dice|cards]
set -eu
rules=${1:-dice}
python=${PYTHON:-.venv/bin/python}
room=$(mktemp -d)
export P2PBALL_LOOPBACK=1
"$python" -m signaling --host 127.0.0.1 --port 8899 2>/dev/null &
relay=$!
trap 'kill $relay 2>/dev/null || true; rm -rf "$room"' EXIT
sleep 2
P2PBALL_HOME=$room/host "$python" -m p2pball host --plain --auto rookie --pace 0 --rules "$rules" --relay 127.0.0.1:8899 \
  --name Ann >"$room/host.out" 2>"$room/host.err" &
host=$!
for _ in $(seq 100); do grep -q 'p2pball join' "$room/host.out" && break; sleep 0.1; done
target=$(sed -n 's/.*p2pball join //p' "$room/host.out")
P2PBALL_HOME=$room/guest "$python" -m p2pball join "$target" --plain --auto rookie --pace 0 --name Bob
wait $host
for record in "$room"/*/games/*/record.p2pball; do "$python" -m p2pball verify "$record"; done
