"""Text and dicts into core values and back. Pure: no files, no clock, no connections."""
