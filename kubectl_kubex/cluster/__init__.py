"""A live cluster: the only package that uses the official client.

Every command that asks a cluster waits for these modules to be imported, so they import late what is heavy, and their
values are NamedTuples: a frozen dataclass takes ten times as long to define.
"""
