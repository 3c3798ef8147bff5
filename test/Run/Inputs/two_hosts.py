#!/usr/bin/env python3
"""Runs a command as ranks on two hosts of one machine, one on each: network namespaces with a link of RATE between
them.

    two_hosts.py 2500mbit ds-run step.mlir ..           ranks of Open MPI
    two_hosts.py --tcp 2500mbit ds-run step.mlir ..     ranks that find each other by their variables
    two_hosts.py --per-host 2 2500mbit ..               two ranks on each host

Each has its own host name and interface, so that ranks share no memory. Where namespaces may not be made, or a tool is
missing, it says so and ends with 0. Only root may make them; no packet leaves the machine.
"""
import copy
import os
import pathlib
import secrets
import shutil
import subprocess
import sys
import tempfile

ADDRESS = ["10.77.0.1", "10.77.0.2"]
INTERFACE = "slow0"  # of both


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True)


class Hosts:
    address, interface = ADDRESS[0], INTERFACE  # where ranks meet

    def __init__(self, rate, per_host=1):
        self.names = [f"ds-{os.getpid()}-{i}" for i in (0, 1)]
        self.rate, self.per_host = rate, per_host

    def __enter__(self):
        try:
            for name in self.names:
                run("ip", "netns", "add", name)
            pair = [f"ds{os.getpid() % 100000}{end}" for end in "ab"]
            run("ip", "link", "add", pair[0], "type", "veth", "peer", "name", pair[1])
            for name, end, address in zip(self.names, pair, ADDRESS):
                run("ip", "link", "set", end, "netns", name)
                inside = ("ip", "-n", name)
                run(*inside, "link", "set", end, "name", INTERFACE)
                run(*inside, "addr", "add", f"{address}/24", "dev", INTERFACE)
                run(*inside, "link", "set", INTERFACE, "mtu", "65000", "up")
                run(*inside, "link", "set", "lo", "up")
                run("tc", "-n", name, "qdisc", "add", "dev", INTERFACE, "root", "tbf", "rate", self.rate, "burst",
                    "140kb", "latency", "200ms")
        except (OSError, subprocess.CalledProcessError) as error:
            self.__exit__()
            why = getattr(error, "stderr", None) or str(error)
            print(f"skipped: no network namespaces here: {why.strip()}")
            sys.exit(0)
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)

    def with_one_process(self):
        """The same hosts, with a process on each."""
        one = copy.copy(self)
        one.per_host = 1
        return one

    def agent(self, folder):
        """What mpirun calls in place of ssh: AGENT HOST COMMAND.."""
        script = pathlib.Path(folder, "agent")
        cases = "".join(f"{address}) space={name};;\n" for address, name in zip(ADDRESS, self.names))
        script.write_text(f'#!/bin/sh\nhost=$1; shift\ncase $host in\n{cases}esac\n'
                          'exec ip netns exec $space unshare -u sh -c "hostname $space; $*"\n')
        script.chmod(0o755)
        return script

    def inside(self, name):
        """What runs a command on a host."""
        return ["ip", "netns", "exec", name, "unshare", "-u", "sh", "-c", 'hostname "$0"; exec "$@"', name]

    def start(self, command, port=29555, **options):
        """Ranks that know the others by their variables: all processes."""
        names = [name for name in self.names for _ in range(self.per_host)]
        job = {"DS_WORLD_SIZE": str(len(names)), "DS_MASTER_ADDR": self.address, "DS_MASTER_PORT": str(port),
               "DS_SECRET": secrets.token_hex(16)}
        return [subprocess.Popen([*self.inside(name), *command], text=True,
                                 env=os.environ | job | {"DS_RANK": str(rank)}, **options)
                for rank, name in enumerate(names)]

    def launch(self, folder, command):
        """A command that runs `command` as ranks of Open MPI on each host, and its environment."""
        options = {"plm_rsh_agent": self.agent(folder), "btl": "tcp,self" if self.per_host == 1 else "tcp,vader,self",
                   "btl_tcp_if_include": INTERFACE, "oob_tcp_if_include": INTERFACE}
        mpirun = ["mpirun.openmpi", "--host", ",".join(f"{address}:{self.per_host}" for address in ADDRESS),
                  "--bind-to", "none"]
        for name, value in options.items():
            mpirun += ["--mca", name, str(value)]
        environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return [*self.inside(self.names[0]), *mpirun, *command], environment


class OneHost(Hosts):
    """The same on this machine as it is."""
    address, interface = "127.0.0.1", "lo"

    def __init__(self, ranks):
        self.names, self.per_host = ["this"], ranks

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def inside(self, name):
        return []

    def launch(self, folder, command):
        environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "-n", str(self.per_host),
                *command], environment


def main():
    by_tcp, per_host, arguments = False, 1, sys.argv[1:]
    while arguments[0].startswith("--"):
        if arguments[0] == "--tcp":
            by_tcp = True
        else:
            arguments, per_host = arguments[1:], int(arguments[1])
        arguments = arguments[1:]
    rate, *command = arguments
    tools = ("ip", "tc", "unshare") if by_tcp else ("ip", "tc", "unshare", "mpirun.openmpi")
    if missing := [tool for tool in tools if not shutil.which(tool)]:
        print(f"skipped: there is no {missing[0]} here")
        return 0
    with Hosts(rate, per_host) as hosts, tempfile.TemporaryDirectory() as folder:
        if by_tcp:
            return max(abs(rank.wait(timeout=300)) for rank in hosts.start(command))
        launched, environment = hosts.launch(folder, command)
        return subprocess.run(launched, env=environment, timeout=300).returncode


if __name__ == "__main__":
    sys.exit(main())
