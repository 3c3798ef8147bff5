"""One row of the zoo."""
import dataclasses
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Entry:
    """A public model by name. `make` returns what its front end exports: (model, optimizer, loss_fn, [batch, batch],
    options) for PyTorch, (step, [arguments, arguments]) for JAX. `config` says how small it is. `quick` models are what
    run-tests runs. `local`: the mean over ranks of gradients of their own samples is what one device computes, which it
    is not where samples meet (batch statistics, contrastive losses), where they weigh differently, and where masks are
    drawn. `refused` is the sentence with which ds refuses the model. `package`, which pyproject.toml's extra zoo-wide
    names, is none that the tests install: where it is not there, the model is passed over."""
    name: str
    make: Callable
    config: str
    quick: bool = False
    local: bool = False
    refused: str = ""
    package: str = ""
