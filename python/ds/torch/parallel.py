"""`data_parallel`: training steps of a PyTorch model on n ranks, through ds-run."""
from ..frontend import FrontendError
from ..run import Runner
from . import checks
from .step import export, to_array


class DataParallel:
    """See `data_parallel`. The step is exported for the first batch's shapes."""

    def __init__(self, model, optimizer, loss_fn, runner, options):
        self.model, self.optimizer, self.loss_fn = model, optimizer, loss_fn
        self.runner, self.options, self.exported, self.steps = runner, options, None, 0

    def _export(self, batch):
        if self.exported is None:
            local, ranks = self.runner.config["batch"] == "local", self.runner.ranks or 1
            tensors, form = checks.batch(batch)
            size = len(next(iter(tensors.values())))
            if size % ranks:
                raise FrontendError(f"a batch of {size} samples cannot be divided among {ranks} ranks")
            share = {name: tensor[:size // ranks] for name, tensor in tensors.items()}
            of_rank = share if form is dict else tuple(share.values())
            self.exported = export(self.model, self.optimizer, self.loss_fn, of_rank if local else batch, **self.options)
            self.exported.shares = ranks if local else 1
        return self.exported

    def __call__(self, batch):
        """One step: changes the model and the optimizer as loss.backward() and optimizer.step() would, and returns the metrics."""
        return self.run([batch])[0]

    def run(self, batches):
        """Consecutive steps in one launch of ds-run; returns the metrics of each."""
        batches = list(batches)
        if not batches:
            return []
        made = self._export(batches[0])
        start = made.current()
        results = self.runner.steps(made, [made.arguments(b, self.steps + k, values=start, hyper=made.capture.hyper_now())
                                           for k, b in enumerate(batches)])
        roles = [r["role"].partition(":")[::2] for r in made.manifest["results"]]
        made.assign({name: value for (role, name), value in zip(roles, results[-1]) if role == "updates"})
        self.steps += len(batches)
        return [{name: float(value) for (role, name), value in zip(roles, values) if role == "metric"} for values in results]

    def fit(self, batch, data, epochs=1, seed=0):
        """Trains on a dataset with ds-run's own loading, shuffling and seeds. `batch` gives names, shapes and the batch size; `data` is
        {name of a batch argument: tensor or array of all samples}. Changes the model and the optimizer, and returns the means of the
        metrics per epoch."""
        made = self._export(batch)
        given = made.arguments(batch, values=made.current(), hyper=made.capture.hyper_now())
        data = {name: to_array(value) if hasattr(value, "detach") else value for name, value in data.items()}
        ended, metrics = self.runner.fit(made, given, data, epochs, seed)
        made.assign(ended)
        return metrics


def data_parallel(model, optimizer, loss_fn, *, ranks=None, launcher=(), config=None, ds_run=None, timeout=None, **options):
    """Training steps on n ranks.

        train = ds.torch.data_parallel(model, optimizer, loss_fn, ranks=4)
        metrics = train((x, y))       # what zero_grad, backward and step do on one device with the whole batch

    `loss_fn`, the batch and `options` are those of `export`. ranks= are threads of one process; launcher=["mpirun", "-n", "4"] starts
    processes. The batch is the whole one, of which every rank computes its share: as one device would compute the whole batch, or, with
    `config` {"batch": "local", "gradients_mean": True}, as each process of DistributedDataParallel does. `run` does many steps in one
    launch, `fit` trains on a dataset.
    """
    runner = Runner(ranks, launcher, config, ds_run, timeout)
    if runner.config["batch"] == "local" and ranks is None:
        raise ValueError("batch=local needs ranks=, because a rank's share of the batch depends on it")
    return DataParallel(model, optimizer, loss_fn, runner, options)
