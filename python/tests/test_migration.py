"""examples/mindspore_migration: ds_train.py ends with the parameters of what mindspore_train.py says, written out in
numpy."""
import ast
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "mindspore_migration"


def keys_of(script):
    """The keys of set_auto_parallel_context."""
    calls = [node for node in ast.walk(ast.parse((FOLDER / script).read_text())) if isinstance(node, ast.Call)]
    context, = (call for call in calls if isinstance(call.func, ast.Attribute)
                and call.func.attr == "set_auto_parallel_context")
    return {keyword.arg: ast.unparse(keyword.value) for keyword in context.keywords}


class Migration(unittest.TestCase):
    def test_both_scripts_end_with_the_same_parameters(self):
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks), tempfile.TemporaryDirectory() as out:
                values = {}
                for script in ("ds_train.py", "reference.py"):
                    done = subprocess.run([sys.executable, FOLDER / script, "--ranks", str(ranks), "--out",
                                           f"{out}/{script}.npz"],
                                          capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    values[script] = dict(np.load(f"{out}/{script}.npz"))
                for name, expected in values["reference.py"].items():
                    np.testing.assert_allclose(values["ds_train.py"][name], expected, rtol=1e-5, atol=1e-5,
                                               err_msg=name)

    def test_the_keys_are_the_same(self):
        mindspore, ours = keys_of("mindspore_train.py"), keys_of("ds_train.py")
        self.assertEqual(mindspore.pop("parallel_mode"), "ms.ParallelMode.DATA_PARALLEL")
        self.assertEqual(ours.pop("parallel_mode"), "'data_parallel'")
        self.assertLess(mindspore.items(), ours.items())
        text = (FOLDER / "README.md").read_text()
        for key in mindspore:
            self.assertIn(f"`{key}=", text)


if __name__ == "__main__":
    unittest.main()
