"""Random training scripts by every way that ds has, beside the framework alone.

strangers/run --framework torch --seeds 1:40          verdicts, and the share that trains; exit code 1 for a finding
strangers/run --framework torch --seed 17             each way of one script
strangers/run --framework torch --seed 17 --print     its text; --way step --ranks 2 by that way
strangers/run --framework torch --seed 17 --reduce    the features of the script without which the finding goes away
strangers/run --framework torch --planted             and mistakes in the scripts, each of which has to be noticed
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent import futures

import judge
import planted

HERE = pathlib.Path(__file__).resolve().parent
MPIRUN = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "2"]


@dataclasses.dataclass
class Job:
    """A script by a way: the reference where `expected` is None, else compared with the job of that name."""

    seed: int
    way: str
    ranks: int
    text: str
    expected: str | None
    dtype: str
    without: tuple[str, ...] = ()

    @property
    def name(self):
        return f"seed{self.seed}_{self.way}_{self.ranks}"


class Host:
    """Processes that run jobs one after another; where one hangs or dies, others go on with the next."""

    def __init__(self, framework, launcher=(), environment=None, timeout=60, start=60):
        self.framework, self.launcher, self.environment, self.timeout, self.start = (
            framework,
            list(launcher),
            environment or {},
            timeout,
            start,
        )
        self.processes = 2 if launcher else 1

    def run(self, jobs):
        """{name: [a result of each process]}."""
        found, jobs = {}, list(jobs)
        while jobs:
            with tempfile.TemporaryDirectory(prefix="strangers") as folder:
                done, ended = self._start(pathlib.Path(folder), jobs)
            found |= {job.name: results for job, results in zip(jobs, done)}
            jobs = jobs[len(done) :]
            if jobs:
                found[jobs.pop(0).name] = [ended] * self.processes
        return found

    def _start(self, folder, jobs):
        """The results of as many jobs as have ended, and what became of the next one."""
        (folder / "jobs.json").write_text(json.dumps([{"name": job.name, "text": job.text} for job in jobs]))
        log = open(folder / "log", "w+")
        command = [*self.launcher, sys.executable, "-W", "ignore", str(HERE / "worker.py"), self.framework, str(folder)]
        process = subprocess.Popen(
            command,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", **self.environment},
        )
        files, seen, since = [folder / f"found.{k}.jsonl" for k in range(self.processes)], 0, time.monotonic()
        count = lambda: min(file.read_text().count("\n") if file.exists() else 0 for file in files)
        try:
            while process.poll() is None:
                time.sleep(0.1)
                now = count()
                if now > seen:
                    seen, since = now, time.monotonic()
                if time.monotonic() - since > self.timeout + self.start * (seen == 0):  # a start imports the framework
                    break
            code = process.poll()
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        log.seek(0)
        said = log.read()[-1500:]
        ended = (
            {"hang": f"nothing in {self.timeout} s"}
            if code is None
            else {"died": f"the process ends with {code}: {said}"}
        )
        lines = [file.read_text().splitlines()[: count()] if file.exists() else [] for file in files]
        return [[json.loads(line) for line in each] for each in zip(*lines)], ended


class Framework:
    def __init__(self, most=None, left_out=()):
        self.most, self.left_out = most, left_out

    def chosen(self, seed, ways):
        """Of the ways of a seed at most so many, others for the next one."""
        ways = [way for way in ways if way not in self.left_out]
        return (
            ways
            if self.most is None
            else [ways[(seed + k * (len(ways) // 2 + 1)) % len(ways)] for k in range(min(self.most, len(ways)))]
        )

    def plain(self):
        """A host without a framework, for scripts that only end, hang or fail."""
        return Host("none", timeout=2, start=1)

    def verdicts(self, jobs):
        """{job name: (verdict, text)} of those that are compared."""
        parts = {name: [job for job in jobs if self.host_of(job.way) == name] for name in self.hosts}
        results = {}
        with futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:  # each has processes of its own
            for found in pool.map(lambda name: self.hosts[name].run(parts[name]), parts):
                results |= found
        found = {}
        for job in jobs:
            if job.expected is None:
                if job.way.endswith("eager") and "error" in results[job.name][0]:
                    found[job.name] = "invalid", results[job.name][0]["error"][0][1]
                continue
            verdict, text = judge.of_way(results[job.name], results[job.expected], job.dtype)
            used = max((result.get("ranks", 0) for result in results[job.name]), default=0)
            if verdict == "equal" and used < job.ranks:
                verdict, text = "wrong", f"runs on {used} ranks, expected {job.ranks}"
            found[job.name] = verdict, text
        return found


class Torch(Framework):
    def __init__(self, timeout=60, *ways):
        super().__init__(*ways)
        from torch_scripts import Script

        self.script = Script
        self.hosts = {"one": Host("torch", timeout=timeout), "joined": Host("torch", MPIRUN, timeout=timeout)}

    def host_of(self, way):
        return "joined" if way.startswith("joined_") else "one"

    def jobs(self, seed, without=(), dtype=None):
        script = self.script(seed, without, dtype)
        ways = self.chosen(seed, script.ways())
        made = lambda way, ranks, expected: Job(
            seed, way, ranks, script.text(way, ranks), expected, script.dtype, tuple(without)
        )
        found = (
            [made("eager", 1, None)]
            if not script.is_random and any(not way.startswith("joined_") for way in ways)
            else []
        )
        found += [made("joined_eager", 1, None)] if any(way.startswith("joined_") for way in ways) else []
        for k, way in enumerate(ways):
            if way.startswith("joined_"):
                found.append(made(way, 1, f"seed{seed}_joined_eager_1"))
            elif script.is_random:  # masks are those of ds, alike for any number of ranks
                found += [made(way, 1, None), made(way, (2, 4)[(seed + k) % 2], f"seed{seed}_{way}_1")]
            else:
                found.append(made(way, (1, 2, 4)[(seed + k) % 3], f"seed{seed}_eager_1"))
        return found


class Jax(Framework):
    def __init__(self, timeout=60, *ways):
        super().__init__(*ways)
        from jax_scripts import Script

        self.script = Script
        self.folder = tempfile.TemporaryDirectory()
        about = pathlib.Path(self.folder.name) / "dstep-0.dist-info"  # what pip writes, so that JAX finds the platform
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: dstep\nVersion: 0\n")
        (about / "entry_points.txt").write_text("[jax_plugins]\nds = dstep.jax_plugin\n")
        path = os.pathsep.join([self.folder.name, os.environ["PYTHONPATH"]])
        self.hosts = {"one": Host("jax", timeout=timeout), "joined": Host("jax", MPIRUN, timeout=timeout)}
        self.hosts |= {
            f"platform{n}": Host(
                "jax",
                environment={"JAX_PLATFORMS": "ds", "DS_JAX_DEVICES": str(n), "PYTHONPATH": path},
                timeout=timeout,
            )
            for n in (1, 2, 4)
        }

    def host_of(self, way):
        return way if way.startswith("platform") else "joined" if way.startswith("joined_") else "one"

    def jobs(self, seed, without=(), dtype=None):
        script = self.script(seed, without, dtype)
        made = lambda way, ranks, expected: Job(
            seed, way, ranks, script.text(way, ranks), expected, script.dtype, tuple(without)
        )
        found = [made("eager", 1, None)]
        for k, way in enumerate(self.chosen(seed, script.ways())):
            ranks = (1, 2, 4)[(seed + k) % 3]
            found.append(
                made(
                    f"platform{ranks}" if way == "platform" else way,
                    1 if way.startswith("joined_") else ranks,
                    f"seed{seed}_eager_1",
                )
            )
        return found


def rounded(framework, jobs, found):
    """The verdicts of f64 where f32 differs: a step may amplify rounding."""
    differing = [
        seed
        for seed, own in jobs.items()
        if own and own[0].dtype == "float32" and any(found.get(job.name, ("",))[0] == "wrong" for job in own)
    ]
    wide = (
        framework.verdicts(
            [job for seed in differing for job in framework.jobs(seed, jobs[seed][0].without, "float64")]
        )
        if differing
        else {}
    )
    return {name: verdict for name, verdict in wide.items() if found[name][0] == "wrong"}


def judged(framework, seed, without=()):
    """The verdicts of one seed by itself."""
    jobs = framework.jobs(seed, without)
    found = framework.verdicts(jobs)
    return found | rounded(framework, {seed: jobs}, found)


def is_finding(verdict):
    return verdict not in ("equal", "refused")


def reduced(framework, seed, found):
    """The features that the finding needs, and its verdicts without the others."""
    wanted = {name: verdict for name, (verdict, _) in found.items() if is_finding(verdict)}
    without = []
    for name in framework.script(seed).features:
        now = judged(framework, seed, [*without, name])
        if any(now.get(job, ("",))[0] == verdict for job, verdict in wanted.items()):
            without.append(name)
            found = now
    return without, found


class Summary:
    def __init__(self):
        self.ways, self.seeds, self.sentences = collections.Counter(), collections.Counter(), collections.Counter()

    def add(self, found):
        for verdict, text in found.values():
            self.ways[verdict] += 1
            if verdict == "refused":
                self.sentences[re.sub(r"'[^']*'|\d+(\.\d+)?|at \S+:\d+", "_", text)[:160]] += 1
        self.seeds[
            max((verdict for verdict, _ in found.values()), key=[*judge.ORDER, "invalid"].index, default="equal")
        ] += 1

    def __str__(self):
        share = lambda counter: f"{100 * counter['equal'] / max(1, sum(counter.values())):.1f} %"
        counts = lambda counter: ", ".join(
            f"{counter[verdict]} {verdict}"
            for verdict in (*judge.ORDER, "invalid")
            if counter[verdict] or verdict in judge.ORDER
        )
        lines = [
            f"seeds: {sum(self.seeds.values())}: {counts(self.seeds)}; {share(self.seeds)} train by every way that "
            f"fits",
            f"ways:  {sum(self.ways.values())}: {counts(self.ways)}; {share(self.ways)} train",
        ]
        return "\n".join(lines + [f"  refused {count} times: {text}" for text, count in self.sentences.most_common(30)])


def chunks(seeds, size):
    return [seeds[k : k + size] for k in range(0, len(seeds), size)]


def go_through(framework, seeds, size, without=(), file=None, verbose=False):
    """Verdicts of many seeds. A line of JSON for each seed goes to `file`."""
    summary, failed = Summary(), False
    for part in chunks(seeds, size):
        jobs = {seed: framework.jobs(seed, without) for seed in part}
        found = framework.verdicts([job for seed in part for job in jobs[seed]])
        wide = rounded(framework, jobs, found)
        for seed in part:
            own = {job.name: (found | wide)[job.name] for job in jobs[seed] if job.name in found}
            bad = any(is_finding(verdict) for verdict, _ in own.values())
            failed |= bad
            summary.add(own)
            if bad or verbose:
                print(f"seed {seed}: {framework.script(seed, without)}")
                print(
                    "".join(
                        f"    {name.partition('_')[2]}: {verdict} {text}\n"
                        for name, (verdict, text) in own.items()
                        if verbose or is_finding(verdict)
                    ),
                    end="",
                    flush=True,
                )
            if file:
                print(
                    json.dumps({"seed": seed, "script": str(framework.script(seed, without)), "verdicts": own}),
                    file=file,
                    flush=True,
                )
    print(summary)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--framework", choices=("torch", "jax"), required=True)
    parser.add_argument("--seeds", default="1:40", help="FIRST:LAST")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--without", default="", help="features that the script leaves out, with commas")
    parser.add_argument("--way", default="eager", help="the way of --print")
    parser.add_argument("--ranks", type=int, default=1, help="the ranks of --print")
    parser.add_argument("--print", action="store_true")
    parser.add_argument("--reduce", action="store_true")
    parser.add_argument("--planted", action="store_true", help="first, whether planted mistakes are noticed")
    parser.add_argument("--results", help="a file of JSON lines, to which seeds that it does not have are added")
    parser.add_argument("--timeout", type=float, default=60, help="seconds that a script may take")
    parser.add_argument("--chunk", type=int, default=40, help="seeds of one interpreter")
    parser.add_argument("--ways", type=int, help="at most so many ways of each seed, others for the next one")
    parser.add_argument("--leave-out", default="", help="ways, with commas")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    left_out = given.leave_out.split(",")
    if not shutil.which(MPIRUN[0]):
        print(f"no {MPIRUN[0]}: processes of a launcher are left out")
        left_out += ["joined_loss", "joined_model", "joined_ddp", "joined_step", "joined_jit"]
    framework = {"torch": Torch, "jax": Jax}[given.framework](given.timeout, given.ways, left_out)
    without = list(filter(None, given.without.split(",")))
    if given.seed is not None:
        if given.print:
            print(framework.script(given.seed, without).text(given.way, given.ranks), end="")
            return 0
        found = judged(framework, given.seed, without)
        if given.reduce:
            without, found = reduced(framework, given.seed, found)
            print(f"--without {','.join(without)!r}")
        print(f"seed {given.seed}: {framework.script(given.seed, without)}")
        print("\n".join(f"    {name.partition('_')[2]}: {verdict} {text}" for name, (verdict, text) in found.items()))
        return int(any(is_finding(verdict) for verdict, _ in found.values()))
    first, _, last = given.seeds.partition(":")
    seeds = list(range(int(first), int(last or first) + 1))
    file = None
    if given.results:
        path = pathlib.Path(given.results)
        known = {json.loads(line)["seed"] for line in path.read_text().splitlines()} if path.exists() else set()
        seeds, file = [seed for seed in seeds if seed not in known], open(path, "a")
    everything = {"torch": Torch, "jax": Jax}[given.framework](given.timeout)
    missed = list(planted.missed(everything, given.framework, without)) if given.planted else []
    print("".join(f"{sentence}\n" for sentence in missed), end="")
    return int(go_through(framework, seeds, given.chunk, without, file, given.verbose) or bool(missed))


if __name__ == "__main__":
    sys.exit(main())
