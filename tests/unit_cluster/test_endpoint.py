"""Flags over the kubeconfig, as kubectl resolves them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kubectl_kubex.cluster.endpoint import Endpoint, Impersonation, Trust, resolve
from kubectl_kubex.cluster.incluster import in_cluster
from kubectl_kubex.cluster.kubeconfig import Kubeconfig
from kubectl_kubex.cluster.settings import ConnectionSettings
from kubectl_kubex.errors import ConfigError

SHOP = Kubeconfig(
    clusters={"shop": {"server": "https://shop.test:6443/", "certificate-authority": "/ca"}, "other": {"server": "o"}},
    users={"ann": {"token": "t", "as": "bob"}, "carl": {"token": "c"}},
    contexts={
        "shop": {"cluster": "shop", "user": "ann", "namespace": "carts"},
        "bare": {"cluster": "shop"},
        "lost": {"cluster": "gone", "user": "ann"},
    },
    current_context="shop",
)


def point(config: Kubeconfig = SHOP, **flags: Any) -> Endpoint:
    return resolve(config, ConnectionSettings(**flags))


def cluster(**entry: str) -> Kubeconfig:
    entry = {"server": "https://a.test", **{key.replace("_", "-"): value for key, value in entry.items()}}
    return Kubeconfig({"a": entry}, {}, {"a": {"cluster": "a"}}, "a")


def test_the_current_context_decides() -> None:
    found = point()
    assert (found.server, found.namespace, found.context, found.user_name) == (
        "https://shop.test:6443",
        "carts",
        "shop",
        "ann",
    )
    assert found.user["token"] == "t"
    assert found.trust == Trust(authority="/ca")


def test_flags_go_before_the_context() -> None:
    found = point(context="bare", user="carl", namespace="x", cluster="other")
    assert (found.namespace, found.user["token"], found.server) == ("x", "c", "http://o")


def test_a_context_without_namespace_means_default() -> None:
    assert point(context="bare").namespace == "default"


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"context": "nope"}, 'context "nope" does not exist'),
        ({"cluster": "nope"}, 'cluster "nope" does not exist'),
        ({"user": "nope"}, 'user "nope" does not exist'),
        ({"context": "lost"}, 'cluster "gone" does not exist'),
        ({"username": "u", "password": "p"}, "more than one way to log in"),
        ({"context": "bare", "as_group": ("g",)}, "need a user to impersonate"),
        ({"context": "bare", "as_uid": "7"}, "need a user to impersonate"),
        ({"as_user_extra": ("novalue",)}, "KEY=VALUE"),
        ({"insecure_skip_tls_verify": True, "certificate_authority": "/ca"}, "contradict"),
    ],
)
def test_what_does_not_fit_is_said(flags: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        point(**flags)


def test_nothing_configured_means_the_local_port() -> None:
    assert point(Kubeconfig()) == Endpoint(server="http://localhost:8080")


def test_only_an_insecure_flag_replaces_the_authority() -> None:
    assert point(insecure_skip_tls_verify=True).trust == Trust(insecure=True)


def test_an_authority_flag_replaces_data_and_insecurity() -> None:
    config = cluster(insecure_skip_tls_verify="true")
    assert point(config).trust == Trust(insecure=True)
    assert point(config, certificate_authority="/mine").trust == Trust(authority="/mine")
    assert point(cluster(certificate_authority_data="x"), certificate_authority="/mine").trust == Trust(
        authority="/mine"
    )


def test_a_server_flag_drops_the_servers_name_of_the_cluster() -> None:
    config = cluster(tls_server_name="inner")
    assert point(config).trust.server_name == "inner"
    assert point(config, server="https://b.test").trust.server_name == ""
    assert point(config, server="https://b.test", tls_server_name="flag").trust.server_name == "flag"


@pytest.mark.parametrize(
    ("server", "shown"),
    [
        ("https://rancher.test/k8s/clusters/c-1/", "https://rancher.test/k8s/clusters/c-1"),
        ("https://[::1]:6443", "https://[::1]:6443"),
        ("10.0.0.1:6443", "http://10.0.0.1:6443"),
        ("https://a.test/?x=1", "https://a.test"),
    ],
)
def test_servers_are_taken_as_written(server: str, shown: str) -> None:
    assert point(cluster(server=server)).server == shown


def test_a_bare_host_with_an_authority_is_https() -> None:
    assert point(cluster(server="10.0.0.1:6443", certificate_authority="/ca")).server == "https://10.0.0.1:6443"


def test_tokens_given_replace_tokens_configured() -> None:
    config = Kubeconfig({}, {"a": {"token": "old", "tokenFile": "/t", "exec": {}}}, {"a": {"user": "a"}}, "a")
    assert point(config, token="new").user == {"token": "new", "tokenFile": "/t", "exec": {}}


def test_certificate_flags_replace_data() -> None:
    user = {"client-certificate-data": "x", "client-key-data": "y"}
    config = Kubeconfig({}, {"a": user}, {"a": {"user": "a"}}, "a")
    found = point(config, client_certificate="c", client_key="k").user
    assert found == {"client-certificate": "c", "client-key": "k"}


def test_impersonation_of_the_kubeconfig_counts() -> None:
    user = {"as": "bob", "as-uid": "7", "as-groups": ["x", "y"], "as-user-extra": {"k": ["1", "2"], "l": ["3"]}}
    config = Kubeconfig({}, {"a": user}, {"a": {"user": "a"}}, "a")
    assert point(config).impersonation == Impersonation("bob", "7", ("x", "y"), {"k": ("1", "2"), "l": ("3",)})


def test_impersonation_flags_go_first() -> None:
    user = {"as": "bob", "as-groups": ["x"], "as-user-extra": {"k": ["1"], "l": ["3"]}}
    config = Kubeconfig({}, {"a": user}, {"a": {"user": "a"}}, "a")
    found = point(config, as_user="eve", as_group=("p", "q"), as_user_extra=("k=8", "k=9=")).impersonation
    assert found == Impersonation("eve", "", ("p", "q"), {"k": ("8", "9="), "l": ("3",)})


def test_proxy_and_compression_of_the_cluster() -> None:
    found = point(cluster(proxy_url="socks5://p:1", disable_compression="true"))
    assert found.proxy == "socks5://p:1"
    assert not found.compressed
    assert point(cluster()).compressed
    assert not point(cluster(), disable_compression=True).compressed


# In a pod of the cluster.


@pytest.fixture
def account(tmp_path: Path) -> Path:
    (tmp_path / "token").write_text("secret")
    (tmp_path / "ca.crt").write_text("ca")
    (tmp_path / "namespace").write_text("shop\n")
    return tmp_path


POD = {"KUBERNETES_SERVICE_HOST": "fd00::1", "KUBERNETES_SERVICE_PORT": "443"}


def pod(
    account: Path, environ: dict[str, str] | None = None, config: Kubeconfig | None = None, **flags: Any
) -> Endpoint | None:
    settings = ConnectionSettings(**flags)
    return in_cluster(resolve(config or Kubeconfig(), settings), settings, POD if environ is None else environ, account)


def test_a_pod_uses_its_service_account(account: Path) -> None:
    found = pod(account)
    assert found is not None
    assert found.server == "https://[fd00::1]:443"
    assert (found.namespace, found.context) == ("shop", None)
    assert found.user == {"tokenFile": str(account / "token")}
    assert found.trust == Trust(authority=str(account / "ca.crt"))


def test_a_pods_namespace(account: Path) -> None:
    named = pod(account, {**POD, "POD_NAMESPACE": "env"})
    assert named is not None
    assert named.namespace == "env"
    flagged = pod(account, {**POD, "POD_NAMESPACE": "env"}, namespace="flag")
    assert flagged is not None
    assert flagged.namespace == "flag"
    (account / "namespace").unlink()
    bare = pod(account)
    assert bare is not None
    assert bare.namespace == "default"


def test_acting_as_another_works_in_a_pod(account: Path) -> None:
    found = pod(account, as_user="bob")
    assert found is not None
    assert found.impersonation.user == "bob"


def test_a_configuration_goes_before_the_pods_own(account: Path) -> None:
    assert pod(account, config=SHOP) is None
    assert pod(account, server="https://x.test") is None
    assert pod(account, token="t") is None


def test_outside_of_a_pod(account: Path) -> None:
    assert pod(account, {}) is None
    assert pod(account, {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}) is None
    (account / "token").unlink()
    assert pod(account) is None
