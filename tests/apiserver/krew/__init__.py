"""Real krew for tests, built from its published Go module."""
