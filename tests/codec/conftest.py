"""How hypothesis runs here: the same examples every time, so that a failure is never the machine's mood.

`--hypothesis-profile=search` looks for new ones, ten times as many.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

_SLOW = (HealthCheck.too_slow, HealthCheck.filter_too_much)
settings.register_profile("kubex", deadline=None, derandomize=True, database=None, suppress_health_check=_SLOW)
settings.register_profile("search", deadline=None, database=None, max_examples=1_000, suppress_health_check=_SLOW)
settings.load_profile("kubex")
