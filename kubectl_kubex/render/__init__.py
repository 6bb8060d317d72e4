"""Answers into words, tables and documents. No decisions here: what is shown was decided in `core`."""
