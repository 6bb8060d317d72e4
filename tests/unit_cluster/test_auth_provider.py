"""Legacy auth-providers, which only the official loader knows."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from kubectl_kubex.cluster.endpoint import Endpoint
from kubectl_kubex.cluster.login import login_of
from kubectl_kubex.errors import ConfigError


def token(expires: int) -> str:
    parts = ({"alg": "RS256"}, {"exp": expires})
    return ".".join(
        [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts] + ["x"]
    )


def login(name: str, **config: str) -> str | None:
    user: dict[str, Any] = {
        "auth-provider": {"name": name, "config": {key.replace("_", "-"): value for key, value in config.items()}}
    }
    return login_of(Endpoint("https://a.test", user=user, user_name="ann")).authorization()


def test_an_oidc_token_that_is_valid() -> None:
    valid = token(4_000_000_000)
    assert login("oidc", id_token=valid, idp_issuer_url="https://nowhere.invalid") == f"Bearer {valid}"


def test_an_access_token_that_is_valid() -> None:
    assert login("gcp", access_token="t", expiry="2100-01-01T00:00:00Z") == "Bearer t"


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("azure", {"access_token": "t"}),
        ("oidc", {}),
        ("oidc", {"id_token": "nonsense"}),
        (
            "oidc",
            {
                "id_token": token(1),
                "refresh_token": "r",
                "client_id": "c",
                "client_secret": "s",
                "idp_issuer_url": "https://nowhere.invalid",
            },
        ),
    ],
)
def test_a_provider_that_gives_no_login_is_one_line(name: str, config: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match='auth-provider of user "ann"') as caught:
        login(name, **config)
    assert "\n" not in caught.value.line
