"""The one exception of the front ends: its text is complete and meant for the person who wrote the step."""

from ..escape import printable


class FrontendError(ValueError):
    def __init__(self, text):
        super().__init__(printable(text))
