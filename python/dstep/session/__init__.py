"""Steps on ranks of this process: libds.so by ctypes, the ranks and their configuration, values that they hold."""
