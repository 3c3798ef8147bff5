"""Programs compiled for the ranks of a world."""
import json
import weakref

from .worlds import World, join


class Compiled:
    """A program compiled for ranks: threads of this process, or with `joined` those of its job that the process holds.
    With ranks=None the program is a function without updates, on one device. `world`: a World with this number of ranks
    and the same configuration."""

    def __init__(self, program, ranks=1, joined=False, world=None):
        lib, self.program = program.library, program  # the program outlives the step
        self.made = None if joined or ranks is None else world or World(program, ranks)
        self.world = join(program, ranks) if joined else self.made and self.made.handle
        self.handle = lib.make("ds_program_compile", program.handle, self.world)
        self._end = weakref.finalize(self, lib.release, ("ds_step_destroy", self.handle))
        self.manifest = json.loads(lib.text("ds_step_manifest", self.handle))

    def close(self):
        self._end()
