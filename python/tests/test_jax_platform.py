"""JAX_PLATFORMS=ds: scripts of JAX as they are, in processes of their own, since a process has one list of
platforms."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import tomllib
import unittest

import scripts

PYTHON = pathlib.Path(__file__).resolve().parents[1]
# How many ranks each program ran on, behind the script.
RANKS = '''
import json as _json, sys as _sys
from dstep.jax import platform as _platform
print("ranks", _json.dumps([compiled.instance.ranks for compiled in _platform._plugin.programs.values() if compiled.instance]))
'''


class Platform(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """What pip writes of the package's entry points, so that JAX finds the plugin of these sources."""
        cls.folder = tempfile.TemporaryDirectory()
        project = tomllib.loads((PYTHON / "pyproject.toml").read_text())["project"]
        about = pathlib.Path(cls.folder.name) / "dstep-0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: dstep\nVersion: 0\n")
        points = project["entry-points"]["jax_plugins"]
        (about / "entry_points.txt").write_text("[jax_plugins]\n"
                                                + "".join(f"{name} = {module}\n" for name, module in points.items()))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def environment(self, devices, platform="ds"):
        path = os.pathsep.join([self.folder.name, str(PYTHON), *filter(None, [os.environ.get("PYTHONPATH")])])
        return {
            "JAX_PLATFORMS": platform, "DS_JAX_DEVICES": str(devices),
            "XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}", "PYTHONPATH": path}

    def said(self, text, devices=1, fails=False):
        """The JSON that a script prints, or what it says when it fails."""
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True,
                              timeout=600, env={**os.environ, **self.environment(devices)})
        self.assertEqual(bool(done.returncode), fails, done.stderr[-3000:])
        return done.stderr if fails else [json.loads(line) for line in done.stdout.splitlines()]

    def train(self, name, devices):
        """Losses of a script on `devices`, beside those of JAX's own platform for CPUs; returns the ranks that its
        programs ran on."""
        text = (scripts.FOLDER / f"{name}.py").read_text()
        expected = scripts.run(text, **self.environment(devices, "cpu"))
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", text + RANKS], capture_output=True, text=True,
                              timeout=600, env={**os.environ, **self.environment(devices)})
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        lines = done.stdout.splitlines()
        got = [float(line.split()[3]) for line in lines if line.startswith("epoch")]
        self.assertEqual(len(got), 3)
        for (wanted, _), loss in zip(expected, got, strict=True):
            self.assertAlmostEqual(loss, wanted, delta=1e-4 * wanted)
        return json.loads(lines[-1].removeprefix("ranks "))

    def test_scripts_of_flax_and_optax_as_they_are(self):
        for name in ("flax_mnist", "flax_imagenet", "optax_regression"):
            with self.subTest(name):
                self.assertEqual(set(self.train(name, 1)), {1})

    def test_scripts_on_several_devices(self):
        for devices in (1, 2, 4):
            for name in ("flax_mesh", "optax_mesh"):
                with self.subTest(name, devices=devices):
                    self.assertEqual(max(self.train(name, devices)), devices)  # the step runs on all of them

    def test_what_is_no_step(self):
        said = self.said('''
            import json
            import jax, jax.numpy as jnp, numpy as np
            assert jax.default_backend() == "ds", jax.default_backend()
            def same(name, found, wanted):
                found, wanted = np.asarray(found), np.asarray(wanted)
                ok = found.dtype == wanted.dtype and found.shape == wanted.shape and np.allclose(found.astype(np.float64), wanted.astype(np.float64), atol=1e-5)
                print(json.dumps([name, bool(ok)]))
            x = np.random.default_rng(0).normal(size=(4, 4)).astype(np.float32)
            s = x @ x.T + np.eye(4, dtype=np.float32)
            same("ones", jnp.ones((3,)), np.ones(3, np.float32))
            same("arange", jnp.arange(4) + 1, np.arange(4, dtype=np.int32) + 1)
            same("matmul", jnp.asarray(x) @ x, x @ x)
            same("transposed", jnp.asarray(x.T), x.T)
            same("where", jnp.where(jnp.arange(6) > 2, 1.0, 0.0).sum(), np.float32(3))
            same("sort", jnp.sort(jnp.array([3., 1., 2.])), np.array([1, 2, 3], np.float32))
            same("while", jax.lax.while_loop(lambda s: s < 10, lambda s: s + 3, 0), np.int32(12))
            same("bfloat16", (jnp.ones(3, jnp.bfloat16) * 2).astype(jnp.float32), np.full(3, 2, np.float32))
            same("bytes", jnp.arange(250, 256, dtype=jnp.uint8) + jnp.uint8(3), np.arange(250, 256, dtype=np.uint8) + np.uint8(3))
            same("booleans", jnp.array([True, False]) ^ True, np.array([False, True]))
            same("cholesky", jnp.linalg.cholesky(jnp.asarray(s)), np.linalg.cholesky(s))
            same("eigh", jnp.linalg.eigh(jnp.asarray(s))[0], np.linalg.eigh(s)[0])
            same("svd", jnp.linalg.svd(jnp.asarray(x))[1], np.linalg.svd(x)[1])
            same("solve", jnp.linalg.solve(jnp.asarray(s), x), np.linalg.solve(s, x))
            same("complex inside", jax.jit(lambda a: jnp.abs(jnp.fft.fft(a)))(x[0]), np.abs(np.fft.fft(x[0])).astype(np.float32))
            same("nothing", jax.jit(lambda a: (a, a))(x)[1], x)
            jax.jit(lambda a: ())(x)
            same("empty", jnp.zeros((0, 3)) + 1, np.zeros((0, 3), np.float32))
            key = jax.random.key(7)
            same("keys", jax.random.key_data(jax.random.split(key)[1]), np.array(%s, np.uint32))
            same("normal", jax.random.normal(key, (3,)), np.array(%s, np.float32))
        ''' % self._random())
        self.assertEqual([name for name, ok in said if not ok], [])
        self.assertEqual(len(said), 19)

    def _random(self):
        done = subprocess.run([sys.executable, "-c", "import jax; k = jax.random.key(7); "
                               "print(jax.random.key_data(jax.random.split(k)[1]).tolist()); "
                               "print(jax.random.normal(k, (3,)).tolist())"],
                              capture_output=True, text=True, timeout=600, env={**os.environ, "JAX_PLATFORMS": "cpu"})
        return tuple(done.stdout.splitlines())

    def test_donated_arrays_are_gone_and_views_stay(self):
        said = self.said('''
            import json
            import jax, jax.numpy as jnp, numpy as np
            step = jax.jit(lambda w, x: (w + x.mean(0), (w * w).sum()), donate_argnums=0)
            w, x = jnp.arange(4, dtype=jnp.float32), np.ones((3, 4), np.float32)
            seen, gone = [], []
            for _ in range(3):
                view, old = np.asarray(w), w
                seen.append((view, view.copy()))
                w, loss = step(w, x)
                gone.append(old.is_deleted())
            try:
                np.asarray(old)
            except RuntimeError as error:
                gone.append("deleted" in str(error))
            print(json.dumps([np.asarray(w).tolist(), float(loss), all(gone), len(gone), all((view == copy).all() for view, copy in seen)]))
            before = w.unsafe_buffer_pointer()
            w, _ = step(w, x)
            print(json.dumps(before == w.unsafe_buffer_pointer()))
            other = jnp.zeros(4)
            print(json.dumps(np.asarray(step(other, x)[0]).tolist()))
            print(json.dumps(np.asarray(step(w, x)[0]).tolist()))
        ''')
        self.assertEqual(said, [[[3, 4, 5, 6], 54.0, True, 4, True], True, [1, 1, 1, 1], [5, 6, 7, 8]])

    def test_several_devices(self):
        said = self.said('''
            import json
            import jax, jax.numpy as jnp, numpy as np
            from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
            mesh = jax.make_mesh((2, 2), ("a", "b"), axis_types=(AxisType.Auto,) * 2)
            at = lambda *axes: NamedSharding(mesh, P(*axes))
            x = np.arange(48, dtype=np.float32).reshape(8, 6)
            print(json.dumps([str(d) for d in jax.devices()] + [jax.devices()[0].device_kind]))
            for axes in ((), ("a",), (None, "b"), ("a", "b"), ("b", "a"), (("b", "a"),)):
                given = jax.device_put(x, at(*axes))
                shards = {s.device.id: np.asarray(s.data).ravel()[0].item() for s in given.addressable_shards}
                double = jax.jit(lambda v: 2 * v + 1, in_shardings=at(*axes), out_shardings=at("b"))(given)
                print(json.dumps([bool((np.asarray(given) == x).all()), bool((np.asarray(double) == 2 * x + 1).all())]))
            whole, rows = NamedSharding(mesh, P()), NamedSharding(mesh, P(("a", "b")))
            w, batch = jax.device_put(np.arange(6, dtype=np.float32), whole), jax.device_put(x / 9, rows)
            loss = lambda w, x: (jnp.tanh(x @ w) ** 2).mean()
            step = lambda w, x: (w - jax.grad(loss)(w, x), loss(w, x), x @ w)
            new, value, products = jax.jit(step)(w, batch)  # neither donated nor out_shardings
            from dstep.jax import platform
            instance = [c.instance for c in platform._plugin.programs.values()][-1]
            wanted = jax.grad(lambda w: loss(w, x / 9))(jnp.arange(6, dtype=jnp.float32))
            print(json.dumps([instance.ranks, bool(np.allclose(new, np.arange(6) - np.asarray(wanted), atol=1e-5)), bool(np.allclose(products, x / 9 @ np.arange(6), atol=1e-4)),
                              str(new.sharding.spec), float((value + batch.sum()) * 0), [a["name"] for a in instance.arguments]]))
            there = jax.device_put(x, jax.devices()[3])
            print(json.dumps([str(d) for d in (there + 1).devices()] + [bool((np.asarray(there + 1) == x + 1).all())]))
        ''', devices=4)
        self.assertEqual(said[0][-1], "ds rank")
        self.assertEqual(len(said[0]), 5)
        self.assertEqual(said[1:7], [[True, True]] * 6)
        self.assertEqual(said[7], [4, True, True, "P()", 0, ["w", "x", "no update"]])  # names of the user's
        self.assertEqual(said[8][1], True)
        self.assertIn("3", said[8][0])

    def test_what_does_not_run_says_so(self):
        start = "import jax, jax.numpy as jnp, numpy as np\n"
        for text, sentence in (
                ("jnp.ones(2, jnp.complex64) * 2", "complex numbers"),
                ("jax.jit(lambda rows: rows['z'].real)({'z': np.ones(2, np.complex64)})",
                 r"argument 'rows\['z'\]' of 'jit__lambda_?' holds complex numbers"),
                ("jax.jit(lambda x: jax.pure_callback(np.sin, x, x))(1.0)", "jax.pure_callback computes a value in "
                 "Python, which ranks of ds do not call"),
                ("jax.jit(lambda x: (jax.debug.print('{}', x, ordered=True), x)[1])(1.0)",
                 "orders its effects, as jax.debug.print"),
                ("from jax.experimental import serialize_executable as s; "
                 "s.serialize(jax.jit(jnp.sin).lower(1.0).compile())",
                 "programs of the platform ds are not serialised"),
                ("jnp.zeros(2, jnp.float8_e5m2) + 1", "f8|element type")):
            with self.subTest(text):
                self.assertRegex(self.said(start + text, fails=True), sentence)
        shard_map = '''
            from jax.sharding import AxisType, PartitionSpec as P
            mesh = jax.make_mesh((2,), ("a",), axis_types=(AxisType.Auto,))
            jax.jit(jax.shard_map(lambda x: jax.lax.psum(x, "a"), mesh=mesh, in_specs=P("a"), out_specs=P()))(jnp.ones(4))
        '''
        self.assertRegex(self.said(start + textwrap.dedent(shard_map), 2, fails=True), "divides values itself by "
                         "shard_map")
        self.assertRegex(subprocess.run([sys.executable, "-c", start + "jax.devices()"], capture_output=True, text=True,
                                        timeout=600,
                                        env={**os.environ, **self.environment(1), "DS_JAX_DEVICES": "many"}).stderr,
                         "DS_JAX_DEVICES=many, expected the number of ranks")

    def test_prints_are_left_out_with_a_warning(self):
        done = subprocess.run([sys.executable, "-c", 'import jax\nprint(float(jax.jit(lambda x: (jax.debug.print("x is '
                               '{}", x), x + 1)[1])(1.0)))'], capture_output=True, text=True,
                              timeout=600, env={**os.environ, **self.environment(1)})
        self.assertEqual(done.stdout, "2.0\n", done.stderr[-2000:])
        self.assertIn("jax.debug.print is left out: ranks of ds call no Python", done.stderr)


if __name__ == "__main__":
    unittest.main()
