"""The one exception of the front ends: its text is complete and meant for the person who wrote the step."""


class FrontendError(ValueError):
    pass
