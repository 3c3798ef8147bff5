"""What JAX asks for its plugins (the entry point group jax_plugins): the platform `ds`, where JAX_PLATFORMS or jax.config names it."""
import jax


def initialize():
    """Nobody else's start of JAX imports more than this."""
    if "ds" in (jax.config.jax_platforms or "").split(","):
        from .jax import platform
        platform.register()
