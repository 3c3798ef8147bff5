"""dstep.communication on three processes of mpirun, and alone."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from dstep import communication

LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"], "mpich": ["mpirun.mpich"]}
PROGRAM = '''
import sys
from dstep.communication import *
before = get_rank(), get_group_size()
sys.stdout = open(f"{sys.argv[1]}/{before[0]}.txt", "w")  # launchers mix what comes in pieces
def mistake(function, *arguments):
    try:
        function(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
init()
init("mccl")  # once more is nothing
rank = get_rank()
print(rank, before == (rank, get_group_size("hccl_world_group")) == (rank, 3))
if rank:
    create_group("back", [2, 1])
    create_group("back", [1, 2])
    print(rank, "is", get_rank("back"), "of", get_group_size("back"))
    print(rank, mistake(create_group, "back", [rank]))
    destroy_group("back")
    create_group("back", [rank])
    print(rank, "alone", get_rank("back"), get_group_size("back"))
else:
    print(rank, mistake(create_group, "back", [1, 2]))
    print(rank, mistake(get_rank, "back"))
    print(rank, mistake(destroy_group, "hccl_world_group"))
    print(rank, mistake(create_group, "x", (0,)), "/", mistake(create_group, "x", []), "/", mistake(create_group, "x", [0, 0]), "/", mistake(create_group, "x", [0, 3]))
if rank != 1:  # who forgets it leaves at the end
    release()
    print(rank, mistake(get_group_size, "back"))
'''
EXPECTED = '''
0 True
0 ValueError: create_group of 'back' with [1, 2] is called on rank 0, expected a member of it
0 ValueError: there is no group 'back' on rank 0; create_group makes it, on its members
0 ValueError: 'hccl_world_group' is the world, which cannot be destroyed
0 TypeError: rank_ids is a tuple, expected a list / ValueError: rank_ids is [], expected one rank or more / ValueError: rank_ids of group 'x' is [0, 0], expected each rank once / ValueError: rank_ids of group 'x' is [0, 3], expected ranks from 0 to 2
0 RuntimeError: communication is not initialised; call dstep.communication.init() first
1 True
1 is 0 of 2
1 ValueError: group 'back' has the ranks [1, 2], and is asked for with [1]
1 alone 0 1
2 True
2 is 1 of 2
2 ValueError: group 'back' has the ranks [1, 2], and is asked for with [2]
2 alone 0 1
2 RuntimeError: communication is not initialised; call dstep.communication.init() first
'''


class Communication(unittest.TestCase):
    def test_processes_have_ranks_and_groups(self):
        for name, launcher in LAUNCH.items():
            if not shutil.which(launcher[0]):
                continue
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                program = pathlib.Path(folder) / "program.py"
                program.write_text(PROGRAM)
                done = subprocess.run([*launcher, "-n", "3", sys.executable, program, folder], capture_output=True,
                                      text=True, timeout=120)
                self.assertEqual(done.returncode, 0, done.stderr)
                said = "".join((pathlib.Path(folder) / f"{rank}.txt").read_text() for rank in range(3))
                self.assertEqual(said.splitlines(), EXPECTED.strip().splitlines())

    def test_alone(self):
        self.assertEqual((communication.get_rank(), communication.get_group_size()), (0, 1))
        for backend, kind, message in ((3, TypeError, "backend_name is a int"),
                                       ("gloo", ValueError, "backend_name is 'gloo', expected one of hccl")):
            with self.subTest(backend), self.assertRaisesRegex(kind, message):
                communication.init(backend)
        with self.assertRaisesRegex(RuntimeError, "not initialised"):
            communication.create_group("one", [0])
        communication.init()
        self.assertEqual((communication.get_rank(), communication.get_group_size()), (0, 1))
        communication.create_group("one", [0])
        self.assertEqual((communication.get_rank("one"), communication.get_group_size("one")), (0, 1))
        communication.release()
        with self.assertRaisesRegex(RuntimeError, "not initialised"):
            communication.release()

    def test_the_environment_names_the_backend(self):
        code = "import dstep.communication as c; c.init(); print(c.get_group_size())"
        for name, said in (("tcp", "1\n"), ("carrier-pigeon", "DS_BACKEND is 'carrier-pigeon', expected auto, local")):
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                                  env={**os.environ, "DS_BACKEND": name})
            self.assertIn(said, done.stdout + done.stderr)

    def test_a_library_that_is_not_there(self):
        done = subprocess.run([sys.executable, "-c", "import dstep.communication as c; c.init()"], capture_output=True,
                              text=True,
                              env={**os.environ, "DS_RUN": "/dev/null/ds-run", "DS_RUNTIME": "/dev/null/libdsrt.so"})
        self.assertIn("the runtime is not found at /dev/null/libdsrt.so; name libdsrt.so by DS_RUNTIME", done.stderr)

    def test_nothing_of_the_current_directory_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            for program in ("ds-run", "bin/ds-run"):
                file = pathlib.Path(folder, program)
                file.parent.mkdir(exist_ok=True)
                file.write_text("#!/bin/sh\n")
                file.chmod(0o755)
            code = """
import os
from dstep.base import find
for path in (":/usr/bin", "/usr/bin::", "", "/usr/bin:bin", ":" + os.getcwd() + "/bin"):
    os.environ["PATH"] = path
    print(find.which("ds-run"), find.tool("ds-run"))
"""
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder,
                                  env={**os.environ, "DS_RUN": "",
                                       "PYTHONPATH": str(pathlib.Path(communication.__file__).parents[1])})
            named = ("bin/ds-run", f"{os.path.realpath(folder)}/bin/ds-run")
            self.assertEqual(done.stdout.splitlines(),
                             ["None None"] * 3 + [f"{program} {program}" for program in named], done.stderr)


if __name__ == "__main__":
    unittest.main()
