"""The field itself: selection as pure functions over frozen values. Standard library only, no clock, no I/O."""
