"""The rules of Go's net/http for HTTPS_PROXY and NO_PROXY (B05 for the environment)."""

from __future__ import annotations

import pytest

from kubectl_kubex.cluster.proxy import proxy_for

PROXY = "http://proxy.test:3128"


def asked(url: str, **environ: str) -> str | None:
    return proxy_for(url, environ)


def test_by_scheme_in_capitals_first() -> None:
    assert asked("https://a.test", HTTPS_PROXY=PROXY, https_proxy="http://other") == PROXY
    assert asked("https://a.test", https_proxy=PROXY) == PROXY
    assert asked("https://a.test", HTTP_PROXY=PROXY) is None
    assert asked("http://a.test", HTTP_PROXY=PROXY) == PROXY
    assert asked("https://a.test") is None
    assert asked("https://a.test", HTTPS_PROXY="proxy.test:3128") == PROXY


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:6443", "127.1.2.3", "[::1]:6443", "localhost:6443"])
def test_this_machine_needs_no_proxy(host: str) -> None:
    assert asked(f"https://{host}", HTTPS_PROXY=PROXY) is None


@pytest.mark.parametrize(
    ("host", "rules"),
    [
        ("a.test", "*"),
        ("a.test", "b.test, A.TEST"),
        ("x.a.test", "a.test"),
        ("x.a.test", ".a.test"),
        ("x.a.test", "*.a.test"),
        ("a.test:6443", "a.test:6443"),
        ("10.1.2.3", "10.0.0.0/8"),
        ("10.1.2.3:6443", "10.1.2.3"),
        ("10.1.2.3:6443", "10.1.2.3:6443"),
        ("[fd00::5]:6443", "fd00::/8"),
        ("[fd00::5]", "fd00::5"),
    ],
)
def test_exceptions(host: str, rules: str) -> None:
    assert asked(f"https://{host}", HTTPS_PROXY=PROXY, NO_PROXY=rules) is None


@pytest.mark.parametrize(
    ("host", "rules"),
    [
        ("a.test", ""),
        ("a.test", ".a.test"),
        ("ba.test", "a.test"),
        ("a.test", "a.test:6443"),
        ("a.test:443", "a.test:6443"),
        ("11.1.2.3", "10.0.0.0/8"),
        ("a.test", "10.0.0.0/8"),
        ("10.1.2.3", "10.1.2.33"),
        ("a.test", ",,"),
    ],
)
def test_no_exceptions(host: str, rules: str) -> None:
    assert asked(f"https://{host}", HTTPS_PROXY=PROXY, NO_PROXY=rules) == PROXY
