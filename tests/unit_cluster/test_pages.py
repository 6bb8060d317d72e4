"""Lists read whole, whatever becomes of their pages (B18, B20)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kubectl_kubex.cluster.failures import ApiFailure, answered
from kubectl_kubex.cluster.pages import LIMIT, read_all

EXPIRED = b'{"kind":"Status","metadata":{"continue":"go-on"},"reason":"Expired","message":"too old","code":410}'


class Pages:
    """`states`: for each time the list is begun, its pages; a page of bytes is a 410 with that body."""

    def __init__(self, *states: list[Any]) -> None:
        self.states = list(states)
        self.asked: list[Mapping[str, str]] = []
        self.now: list[Any] = []

    def get(self, path: str, params: Mapping[str, str]) -> Mapping[str, Any]:
        self.asked.append(params)
        token = params.get("continue")
        if token is None:
            self.now = self.states.pop(0)
        number = int(token or 0)
        page = self.now[number]
        if isinstance(page, bytes):
            raise answered(410, "application/json", page)
        if isinstance(page, dict):
            return page
        more = {"continue": str(number + 1)} if number + 1 < len(self.now) else {}
        return {"items": [{"n": member} for member in page], "metadata": more}

    def read(self) -> list[int]:
        return [member["n"] for member in read_all(self.get, "/p", {"labelSelector": "a=b"}, lambda raw: raw)]


def test_pages_follow_each_other() -> None:
    pages = Pages([[1, 2], [3], [], [4]])
    assert pages.read() == [1, 2, 3, 4]
    assert pages.asked[0] == {"labelSelector": "a=b", "limit": str(LIMIT)}
    assert pages.asked[3] == {"labelSelector": "a=b", "limit": str(LIMIT), "continue": "3"}


@pytest.mark.parametrize("body", [EXPIRED, b"{}", b"gone"], ids=["with-token", "without-token", "text"])
def test_an_expired_page_starts_the_list_over(body: bytes) -> None:
    pages = Pages([[1, 2], [3], body], [[1], [3, 5], [6]])
    assert pages.read() == [1, 3, 5, 6]
    assert "go-on" not in [asked.get("continue") for asked in pages.asked]


def test_a_list_that_expires_again_is_read_in_one_piece() -> None:
    pages = Pages([[1], EXPIRED], [[1], EXPIRED], [[1, 2, 3]])
    assert pages.read() == [1, 2, 3]
    assert pages.asked[-1] == {"labelSelector": "a=b"}


def test_a_list_that_cannot_be_had_at_all_is_a_failure() -> None:
    with pytest.raises(ApiFailure, match="too old"):
        Pages([[1], EXPIRED], [EXPIRED], [EXPIRED]).read()


def test_members_are_dropped_page_by_page() -> None:
    pages = Pages([[1, 2], [3, 4]])
    found = read_all(pages.get, "/p", {}, lambda raw: raw if raw["n"] % 2 else None)
    assert [member["n"] for member in found] == [1, 3]


@pytest.mark.parametrize(
    "page",
    [{}, {"items": {}}, {"items": [], "metadata": {"continue": 7}}, {"kind": "Status"}],
)
def test_what_is_no_list_is_a_failure(page: dict[str, Any]) -> None:
    with pytest.raises(ApiFailure, match="something else"):
        Pages([page]).read()


def test_a_token_that_does_not_change_is_a_failure() -> None:
    page = {"items": [], "metadata": {"continue": "0"}}
    with pytest.raises(ApiFailure, match="something else"):
        Pages([page, page]).read()


@pytest.mark.parametrize("items", [None, [], ["text", None, 7]])
def test_members_that_are_no_objects_are_left_out(items: object) -> None:
    assert Pages([{"items": items, "metadata": None}]).read() == []
