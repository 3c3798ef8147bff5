"""What ds itself has to say."""


class RunError(RuntimeError):
    """ds refused a step or failed in it; the text is what it said."""
