"""Epochs of steps on a dataset: loading, schedules, progress, checkpoints, early stopping."""
