"""bench/gpu_session on a GPU that is not there: what a session packs, runs and reports. Nothing is timed."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("DS_RUN", ROOT / "build/bin/ds-run")).parents[1]
FAKES = {f"DS_{kind}_LIBRARY": str(BUILD / f"runtime/test/fakes/libfake_{kind.lower()}.so")
         for kind in ("CUDA", "CUBLASLT", "CUDNN", "NCCL")}


class Session(unittest.TestCase):
    def test_what_is_packed_runs_there(self):
        there = os.environ | FAKES | {"PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
                                      "PYTHONPATH": str(ROOT / "python")}
        with tempfile.TemporaryDirectory() as folder:
            packed, out = pathlib.Path(folder, "gpu"), pathlib.Path(folder, "out")
            subprocess.run([sys.executable, ROOT / "bench/gpu/pack.py", "--build", BUILD, "--out", packed, "--small",
                            "--programs", "6"], check=True,
                           stdout=subprocess.PIPE)
            done = subprocess.run([ROOT / "bench/gpu_session", "--quick", packed, out], env=there, capture_output=True,
                                  text=True)
            self.assertEqual(done.returncode, 0, done.stdout + pathlib.Path(out, "gpu_session.log").read_text()[-2000:])
            rows = [json.loads(line) for line in pathlib.Path(out, "gpu_session.json").read_text().splitlines()]
        self.assertIn("libfake_cuda.so", rows[0]["card"])
        parts = {}
        for row in rows[1:]:
            parts.setdefault(row["part"].split(",")[0], []).append(row)
        self.assertEqual(set(parts), {"recordings", "schemes", "steps", "programs", "sanitizer", "conformance nccl",
                                      "memcheck"})
        for row in parts["recordings"]:
            self.assertTrue(row["passed"], row)
            if row["ranks"] == 1:
                self.assertEqual(row["same_bits"], row["results"])
        self.assertEqual(len(parts["recordings"]), 2 * 2 * 2)
        schemes = [row for row in parts["schemes"] if "scheme" in row]
        self.assertEqual(len(schemes), 6)
        self.assertTrue(all(row["gb_per_s"] >= 0 and row["kernels"] for row in schemes), schemes)
        self.assertEqual(len(parts["steps"]), 8)
        for row in parts["steps"]:
            self.assertGreater(row["ds_ms"], 0)
            self.assertAlmostEqual(row["ds_loss"], row["jax_loss"], delta=2e-3 * row["jax_loss"])
        self.assertTrue(parts["programs"][0]["passed"], parts["programs"])


if __name__ == "__main__":
    unittest.main()
