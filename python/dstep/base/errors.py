"""Errors and warnings of ds."""
import contextlib
import os
import sys
import threading
import warnings

from . import codes
from .escape import printable

PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep

# Options of ds-run in messages of the tools, and how Python writes them.
IN_PYTHON = {
    "--on-index=warn": 'on_index="warn"',
    "--last-batch=wrap": 'last_batch="wrap"',
    "start again with --resume": "start again with resume=True",
    "--resume goes on": "resume=True goes on",
    "--save another name": "save= another name",
    "leave out --save-every and --resume": "leave save= out",
    "; --init starts from its values": "",
    "its ds.written_hash is": "the hash of its step is",
}


class FrontendError(ValueError):
    """An error of the front ends, for the author of the step."""

    def __init__(self, text):
        super().__init__(printable(text))


class RunError(RuntimeError):
    """ds refused a step or failed in it; the text is the message of ds. `code`, of codes.py, and its `fields`
    identify the kind of error."""

    def __init__(self, text, code=codes.NONE, fields=None):
        super().__init__(printable(text))
        self.code, self.fields = code, fields or {}

    def of_index(self, where, cure=""):
        """Returns the same error of codes.INDEX_RANGE, with the location of the index in a loop, unless an inner loop
        has named its own location."""
        fields = {"where": where} | self.fields
        argument, where, found = (fields[name] for name in ("argument", "where", "found"))
        return type(self)(f"'{argument}' of {where} holds {found}{cure}", self.code, fields)


def in_python(sentence):
    """Returns a sentence of the tools with options as Python writes them."""
    text = str(sentence)
    for option, ours in IN_PYTHON.items():
        text = text.replace(option, ours)
    return text


_kept = threading.local()


@contextlib.contextmanager
def keeping():
    """Keeps the warnings of this thread, which have no line of the user's, in a list."""
    _kept.sentences = found = []
    try:
        yield found
    finally:
        del _kept.sentences


def warn(sentence):
    """Issues a UserWarning at the caller's line: the nearest line outside of this package and of packages that call it
    (jax, torch, lightning)."""
    if hasattr(_kept, "sentences"):
        return _kept.sentences.append(sentence)
    level, frame = 1, sys._getframe()
    while frame and (frame.f_code.co_filename.startswith((PACKAGE, "<frozen"))
                     or "-packages" + os.sep in frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    warnings.warn(printable(sentence), stacklevel=level if frame else 2)


def marking_samples(function, mark):
    """Returns function(). If it fails because the ranks found the samples of a result in another dimension, calls
    mark(result, dim), which returns False if it cannot mark that result, and calls function() again."""
    while True:
        try:
            return function()
        except RunError as error:
            if error.code != codes.RESULT_SAMPLES or not mark(**error.fields):
                raise
