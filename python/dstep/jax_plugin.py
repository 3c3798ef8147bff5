"""Entry point of JAX's plugins (group jax_plugins): registers the platform `ds` if JAX_PLATFORMS or jax.config names
it."""
import jax


def initialize():
    """Imports nothing more unless the platform is requested, so that JAX starts fast without it."""
    if "ds" in (jax.config.jax_platforms or "").split(","):
        from .jax import platform
        platform.register()
