"""The check of a capture: the traced step beside the user's own loop (beside.py), and why they differ (causes.py)."""
