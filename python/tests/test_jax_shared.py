"""The same with JAX: processes that hold several ranks have the bits of as many threads."""
import json
import pathlib
import tempfile
import unittest

from test_joined_shared import MPIRUN, SCRIPT, launch


class SharedByJax(unittest.TestCase):
    maxDiff = None

    def test_processes_that_hold_several_ranks(self):
        script = SCRIPT.with_name("joined_shared_jax.py")
        with tempfile.TemporaryDirectory() as folder:
            read = lambda ranks, processes: [json.loads(pathlib.Path(folder, f"{ranks}.{p}.json").read_text())
                                             for p in range(processes)]
            launch(1, folder, "8,5", script=script)
            expected = {ranks: read(ranks, 1)[0] for ranks in (8, 5)}
            for ranks, processes, launcher in ((8, 2, MPIRUN and [*MPIRUN, "-n", "2"]), (5, 3, None)):
                launch(processes, folder, str(ranks), script=script, launcher=launcher)
                for p, found in enumerate(read(ranks, processes)):
                    told = found.pop("told", "")
                    self.assertEqual(found, expected[ranks])
                    here = len(range(ranks)[p::processes])
                    uneven = f"a batch of 1 samples cannot be divided among the {here} ranks of process {p}"
                    self.assertEqual(told, uneven if here > 1 else "")


if __name__ == "__main__":
    unittest.main()
