#!/usr/bin/env bash
# One rank on each host, by nothing but ssh: HOSTS="node1 node2" examples/launch/ssh.sh step.mlir --data ..
# The first host is rank 0; the folder and ds-run are at the same place on all of them. REMOTE replaces ssh (for tests).
set -euo pipefail
read -ra hosts <<<"${HOSTS:?}"
secret=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
command=$(printf '%q ' "${DS_RUN:-ds-run}" "$@")
rank=0 started=()
for host in "${hosts[@]}"; do
  # The secret goes by standard input: who lists processes must not see it.
  ${REMOTE:-ssh} "$host" "read -r DS_SECRET; export DS_SECRET DS_RANK=$rank DS_WORLD_SIZE=${#hosts[@]} \
DS_MASTER_ADDR=${MASTER:-${hosts[0]}} DS_MASTER_PORT=${PORT:-29555}; cd $(printf '%q' "$PWD") && exec $command" <<<"$secret" &
  started+=($!)
  rank=$((rank + 1))
done
code=0
for process in "${started[@]}"; do wait "$process" || code=$?; done
exit "$code"
