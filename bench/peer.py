"""A process that times blocks of steps when it is told to, so that several systems take turns within the same minutes.

It prints {"compile_s": C, "loss": L, ..} after its first step, and {"ms": M, "loss": L, ..} for every line N it reads,
M per step of N.
"""
import json
import os
import subprocess

BLOCK_MS = 250  # long enough to hide the clock, short enough that all systems see the same machine


class PeerError(RuntimeError):
    """The process ended; the text says how."""

    def __init__(self, text, status=None):
        super().__init__(text)
        self.status = status


class Peer:
    def __init__(self, command, environment, prefix=(), log=None):
        self.process = subprocess.Popen([*prefix, *map(str, command)], text=True, env=os.environ | environment,
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=log)
        self.losses, self.times, self.steps = [], [], 1
        self.first = self.answer()
        self.last = self.first

    def answer(self):
        for line in self.process.stdout:
            if line.startswith("{"):  # libraries print what they like
                answer = json.loads(line)
                self.losses.append(answer["loss"])
                self.last = answer
                return answer
        status = self.process.wait()
        raise PeerError(f"'{' '.join(self.process.args)}' ended with status {status}", status)

    def block(self):
        """Milliseconds per step."""
        print(self.steps, file=self.process.stdin, flush=True)
        return self.answer()["ms"]

    def calibrate(self, block_ms=BLOCK_MS):
        """Warms up and finds how many steps a block has: its first ones are slower than what is measured."""
        best, tries = self.block(), 1
        while tries < 3 and best < block_ms:
            best, tries = min(best, self.block()), tries + 1
        self.steps = max(1, round(block_ms / best))

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
