"""Progress of a training: a bar on a terminal, else a line per epoch, both on standard error."""
import importlib.util
import shutil
import sys

from ..base.escape import one_line, printable

FORMS = ("auto", "bar", "lines", "none")


def in_notebook():
    """True in a kernel of Jupyter with tqdm, which draws its own bar there; a line that overwrites itself is unreadable
    there."""
    return (type(getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()).__name__ == "ZMQInteractiveShell"
            and importlib.util.find_spec("tqdm") is not None)


def create(form):
    if form not in FORMS:
        raise ValueError(f"progress= is {form!r}, expected one of {', '.join(FORMS)}")
    if form == "auto":
        form = "bar" if sys.stderr.isatty() or in_notebook() else "lines"
    return {"bar": Bar, "lines": Lines, "none": Progress}[form]()


def text(metrics):
    return "  ".join(f"{one_line(name)} {'nan' if value is None else format(value, '.4f')}"
                     for name, value in metrics.items())


class Progress:
    """Shows nothing."""

    def begin(self, epochs, per_epoch, first):
        """Starts a training; `per_epoch` is None if the number of steps of an epoch is unknown."""
        self.epochs, self.per_epoch, self.first, self.step, self.passed = epochs, per_epoch, first, first, 0

    def step_taken(self, step, metrics, rate, ended):
        self.step, self.epoch = step, self.passed + 1
        self.passed += ended
        self.show(metrics, rate, ended)

    def show(self, metrics, rate, ended):
        pass

    def validated(self, metrics):
        pass

    def note(self, text):
        """Shows a sentence beside the progress."""

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Lines(Progress):
    """One line an epoch on the standard error."""
    def show(self, metrics, rate, ended):
        if ended:
            print(f"epoch {self.epoch}/{self.epochs}  {text(metrics)}  {rate:.0f} samples/s", file=sys.stderr,
                  flush=True)

    def validated(self, metrics):
        print(f"epoch {self.epoch}/{self.epochs}  {text(metrics)}", file=sys.stderr, flush=True)

    def note(self, text):
        print(printable(text), file=sys.stderr, flush=True)


class Bar(Progress):
    """A bar of tqdm if it is installed, else a line that overwrites itself."""
    bar = None

    def begin(self, epochs, per_epoch, first):
        super().begin(epochs, per_epoch, first)
        self.rate = 0.0
        if importlib.util.find_spec("tqdm"):
            from tqdm.auto import tqdm
            self.bar = tqdm(total=per_epoch and epochs * per_epoch, unit="step", file=sys.stderr)

    def show(self, metrics, rate, ended):
        self.rate = rate
        self.draw(metrics)

    def validated(self, metrics):
        self.draw(metrics)

    def draw(self, metrics):
        if self.bar is not None:
            self.bar.update(self.step - self.first - self.bar.n)
            self.bar.set_description(f"epoch {self.epoch}/{self.epochs}", refresh=False)
            self.bar.set_postfix_str(text(metrics))
            return
        line = (f"epoch {self.epoch}/{self.epochs}  step "
                f"{self.step - self.first}{f'/{self.epochs * self.per_epoch}' if self.per_epoch else ''}  "
                f"{text(metrics)}  {self.rate:.0f} samples/s")
        width = shutil.get_terminal_size().columns - 1
        print("\r" + line[:width] + "\x1b[K", end="", file=sys.stderr, flush=True)

    def note(self, text):
        if self.bar is not None:
            self.bar.write(printable(text), file=sys.stderr)
        else:
            print(f"\r{printable(text)}\x1b[K", file=sys.stderr, flush=True)

    def close(self):
        if self.bar is not None:
            self.bar.close()
            self.bar = None
        elif getattr(self, "epochs", 0):
            print(file=sys.stderr)
            self.epochs = 0
