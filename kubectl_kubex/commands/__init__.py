"""One module a command: gather, decide, render, three calls in a row. Streams are handed in; no click."""
