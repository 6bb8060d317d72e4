"""Completion in the shell: what may stand next on the command line, for our own scripts and for kubectl's."""
