#!/usr/bin/env bash
# The same command on each host: HOSTS=2 HOST=0 MASTER=10.0.0.1 examples/launch/torchrun.sh step.mlir --data ..
# Alone on one host: examples/launch/torchrun.sh step.mlir --data ..
# On several hosts DS_SECRET must be the same on all of them (head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n').
set -euo pipefail
where=(--standalone)
if [ "${HOSTS:-1}" -gt 1 ]; then
  : "${DS_SECRET:?is needed on several hosts}"
  where=(--nnodes "$HOSTS" --node-rank "${HOST:?}" --master-addr "${MASTER:?}" --master-port "${PORT:-29500}")
fi
# With --resume a rank that dies costs what came after the newest checkpoint.
exec torchrun "${where[@]}" --nproc-per-node "${RANKS:-2}" --max-restarts "${RESTARTS:-1}" --no-python "${DS_RUN:-ds-run}" "$@"
