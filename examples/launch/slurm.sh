#!/usr/bin/env bash
#SBATCH --nodes=2 --ntasks-per-node=1 --signal=TERM@60
# sbatch examples/launch/slurm.sh step.mlir --data .. : a rank per task, over TCP, without MPI.
set -euo pipefail
DS_SECRET=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
export DS_SECRET
exec srun --mpi=none "${DS_RUN:-ds-run}" "$@" --backend tcp
