"""The one exception of the front ends: its text is complete, for the author of the step."""

from ..escape import printable


class FrontendError(ValueError):
    def __init__(self, text):
        super().__init__(printable(text))
