#!/usr/bin/env bash
# One rank on each host, by nothing but ssh: HOSTS="node1 node2" examples/launch/ssh.sh step.mlir --data ..
# The first host is rank 0; the folder and ds-run are at the same place on all of them, and variables that are exported here are there,
# too, but for those of a host, of its user or of another launcher. REMOTE replaces ssh (for tests).
set -euo pipefail
read -ra hosts <<<"${HOSTS:?}"
secret=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
command=$(printf '%q ' "${DS_RUN:-ds-run}" "$@")
quote="'\\''"
settings() { # in words of any shell
  while IFS= read -r -d '' entry; do
    name=${entry%%=*} value=${entry#*=}
    case $name in
      *[!A-Za-z0-9_]* | [0-9]* | _ | PWD | OLDPWD | SHLVL | HOME | USER | LOGNAME | SHELL | MAIL | HOSTNAME | TERM | TMPDIR | DISPLAY) ;;
      XDG_* | SSH_* | SLURM_* | OMPI_* | PMI* | MS_* | RANK | WORLD_SIZE | LOCAL_RANK | LOCAL_WORLD_SIZE | DS_SECRET*) ;;
      *) printf "export %s='%s'\n" "$name" "${value//\'/$quote}" ;;
    esac
  done < <(env -0)
}
handed_on=$(settings)
rank=0 started=()
for host in "${hosts[@]}"; do
  # By standard input: who lists processes must see neither the secret nor what a variable holds.
  ${REMOTE:-ssh} "$host" "eval \"\$(cat)\"; cd $(printf '%q' "$PWD") && exec $command </dev/null" <<<"$handed_on
export DS_SECRET=$secret DS_RANK=$rank DS_WORLD_SIZE=${#hosts[@]} DS_MASTER_ADDR=${MASTER:-${hosts[0]}} DS_MASTER_PORT=${PORT:-29555}" &
  started+=($!)
  rank=$((rank + 1))
done
code=0
for process in "${started[@]}"; do wait "$process" || code=$?; done
exit "$code"
