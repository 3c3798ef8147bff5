#!/usr/bin/env python3
"""kubernetes.py FILE ARGUMENTS..: checks a job of examples/launch and starts its pods as processes of this machine.

Each process runs the container's command, with ARGUMENTS behind its first word, under the variables that its pod would
have: those that the file names, and for a PyTorchJob those of Kubeflow's operator. Addresses become 127.0.0.1."""
import os
import secrets
import socket
import subprocess
import sys

import yaml


def require(holds, what):
    if not holds:
        sys.exit(f"{sys.argv[1]}: expected {what}")


def value_of(entry, index):
    """What Kubernetes gives a variable of the pod with this index."""
    if "value" in entry:
        require(isinstance(entry["value"], str), f"a text for {entry['name']}")
        return entry["value"]
    source = entry["valueFrom"]
    if "secretKeyRef" in source:
        return SECRET
    return {"metadata.annotations['batch.kubernetes.io/job-completion-index']": str(index),
            "metadata.labels['batch.kubernetes.io/controller-uid']": JOB}[source["fieldRef"]["fieldPath"]]


def pods_of_job(service, job):
    """(container, variables of its own) of each pod of an indexed Job."""
    name, spec, pod = job["metadata"]["name"], job["spec"], job["spec"]["template"]["spec"]
    count, container = spec["completions"], pod["containers"][0]
    require(spec["completionMode"] == "Indexed" and spec["parallelism"] == count, "an indexed Job whose pods all run "
            "at once")
    require(service["spec"]["clusterIP"] == "None"
            and service["spec"]["selector"] == {"batch.kubernetes.io/job-name": name}, "a headless Service of the "
            "Job's pods")
    require(pod["subdomain"] == service["metadata"]["name"], "the Service's name as the subdomain of the pods")
    pods = [(container, {entry["name"]: value_of(entry, index) for entry in container["env"]})
            for index in range(count)]
    found = pods[0][1]
    require(found["DS_WORLD_SIZE"] == str(count), f"DS_WORLD_SIZE {count}")
    require(found["DS_MASTER_ADDR"] == f"{name}-0.{pod['subdomain']}", "the name of pod 0 as DS_MASTER_ADDR")
    require(found["DS_MASTER_PORT"] == str(service["spec"]["ports"][0]["port"]), "the Service's port as DS_MASTER_PORT")
    require({volume["name"] for volume in pod["volumes"]} == {mount["name"] for mount in container["volumeMounts"]},
            "a volume for each mount")
    return pods, {"DS_MASTER_ADDR": "127.0.0.1", "DS_MASTER_PORT": str(PORT)}


def pods_of_operator(job):
    """The same of a PyTorchJob: the master is rank 0."""
    replicas = job["spec"]["pytorchReplicaSpecs"]
    containers = [replicas[kind]["template"]["spec"]["containers"][0] for kind in ("Master", "Worker")
                  for _ in range(replicas[kind]["replicas"])]
    ports = {port["name"]: port["containerPort"] for port in containers[0]["ports"]}
    require(ports["ds-store"] == ports["pytorchjob-port"] + 1, "the port above the operator's for the store")
    pods = [(container, {entry["name"]: value_of(entry, index) for entry in container["env"]}
             | {"RANK": str(index), "WORLD_SIZE": str(len(containers))})
            for index, container in enumerate(containers)]
    return pods, {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(PORT - 1)}


SECRET, JOB = secrets.token_hex(16), secrets.token_hex(8)
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    PORT = probe.getsockname()[1]
documents = list(yaml.safe_load_all(open(sys.argv[1])))
started, local = pods_of_job(*documents) if len(documents) == 2 else pods_of_operator(*documents)
running = [subprocess.Popen([container["command"][0], *sys.argv[2:], *container["command"][2:]],
                            env=os.environ | variables | local)
           for container, variables in started]
sys.exit(max(process.wait() for process in running))
