"""A mode of PyTorch's functions that also replaces functions of modules, which a mode does not see, while it is
active."""
import contextlib

from torch.overrides import TorchFunctionMode

from ..base.threads import replaced


class PatchedMode(TorchFunctionMode):
    """`patches` are (owner, name, value); like a mode they apply to the thread that enters it."""

    def __init__(self, patches):
        super().__init__()
        self.patches, self.in_force = patches, contextlib.ExitStack()

    def __enter__(self):
        for patch in self.patches:
            self.in_force.enter_context(replaced(*patch))
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self.in_force.close()
