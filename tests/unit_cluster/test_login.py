"""Who we say we are."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from kubectl_kubex.cluster.endpoint import Endpoint, Impersonation
from kubectl_kubex.cluster.login import Certificate, Login, impersonation_headers, login_of
from kubectl_kubex.errors import ConfigError


def login(server: str = "https://a.test", **user: Any) -> Login:
    return login_of(Endpoint(server, user={key.replace("_", "-"): value for key, value in user.items()}))


def coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_nothing_is_sent_over_plain_http() -> None:
    assert login("http://a.test", token="t").authorization() is None
    assert login("http://a.test", exec={"command": "must-not-run"}).authorization() is None


def test_a_token() -> None:
    assert login(token="t\n").authorization() == "Bearer t"
    assert login(token="t").renew("Bearer t") is False


def test_a_name_with_password() -> None:
    assert login(username="u", password="p:q").authorization() == "Basic " + coded("u:p:q")


def test_a_token_file_is_read_each_time_and_goes_first(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("one\n")
    found = login(tokenFile=str(path), token="old")
    assert found.authorization() == "Bearer one"
    assert found.renew("Bearer one") is False
    path.write_text("two")
    assert found.renew("Bearer one") is True
    assert found.authorization() == "Bearer two"
    path.unlink()
    assert found.authorization() == "Bearer old"


def test_a_token_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read the token file"):
        login(tokenFile=str(tmp_path / "token")).authorization()


def test_a_stated_login_goes_before_a_plugin() -> None:
    assert login(token="t", exec={"command": "must-not-run"}).authorization() == "Bearer t"
    assert login(username="u", exec={"command": "must-not-run"}).authorization() == "Basic " + coded("u:")


def test_certificates_as_files_and_as_data(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("C")
    files = login(client_certificate="c", client_key="k").certificate()
    assert files == Certificate("c", "k")
    data = login(client_certificate_data=coded("C"), client_key_data=coded("K"), client_certificate="ignored")
    assert data.certificate() == Certificate("C", "K", inline=True)
    mixed = login(client_certificate=str(tmp_path / "c"), client_key_data=coded("K"))
    assert mixed.certificate() == Certificate("C", "K", inline=True)
    assert login().certificate() is None


@pytest.mark.parametrize(
    "user",
    [
        {"client_certificate": "c"},
        {"client_certificate_data": "%%%", "client_key": "k"},
        {"client_certificate_data": coded("C"), "client_key": "/nowhere"},
    ],
)
def test_certificates_that_cannot_be_used(user: dict[str, str]) -> None:
    with pytest.raises(ConfigError):
        login(**user)


def test_impersonation_is_a_header_for_each_group_and_value() -> None:
    whom = Impersonation("bob", "7", ("x,y", "z"), {"Some.Org/Key:é": ("1", "2")})
    assert impersonation_headers(whom) == [
        ("Impersonate-User", "bob"),
        ("Impersonate-Uid", "7"),
        ("Impersonate-Group", "x,y"),
        ("Impersonate-Group", "z"),
        ("Impersonate-Extra-some.org%2Fkey%3A%C3%A9", "1"),
        ("Impersonate-Extra-some.org%2Fkey%3A%C3%A9", "2"),
    ]
    assert impersonation_headers(Impersonation()) == []
