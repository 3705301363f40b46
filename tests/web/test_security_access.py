"""Only who has the token, and asks from the workbench itself, is answered."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from asking import client, status_of_socket
from running import Running, running

from sizes import spread

PATHS = ["/", "/p/adult/data", "/static/papilio.css", "/download/adult/policy/policy.yaml", "/x"]


def cookie_of(made: httpx.Client) -> str:
    ((name, value),) = made.cookies.items()
    return f"{name}={value}"


def is_page(answer: httpx.Response, words: str) -> bool:
    return "<h1>" in answer.text and words in answer.text and "Papilio" in answer.text


@pytest.mark.parametrize("path", spread(PATHS, 2))
def test_without_the_token_nothing_is_given_out(shared_workbench: Running, path: str) -> None:
    answer = client(shared_workbench, let_in=False).get(path)
    assert answer.status_code == 401
    assert is_page(answer, "needs the token")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("token", ["", "x", "é", "a" * 10_000])
def test_a_wrong_token_is_refused(shared_workbench: Running, token: str) -> None:
    answer = client(shared_workbench, let_in=False).get("/", params={"token": token})
    if token:
        assert answer.status_code == 403
        assert is_page(answer, "not valid")
    else:
        assert answer.status_code == 401


def test_the_token_is_good_at_the_start_page_only(shared_workbench: Running) -> None:
    made = client(shared_workbench, let_in=False)
    answer = made.get("/p/adult/data", params={"token": shared_workbench.token})
    assert answer.status_code == 401


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_cannot_use(
    shared_workbench: Running,
) -> None:
    answer = client(shared_workbench, let_in=False).get(
        "/", params={"token": shared_workbench.token}
    )
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert shared_workbench.token not in cookie
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.long
def test_nothing_of_another_workspace_is_visible(shared_workbench: Running, tmp_path: Path) -> None:
    with running(tmp_path) as other:
        made = client(other)
        made.put("/upload/none/data/x.csv", headers={"Origin": other.base})
        answer = client(shared_workbench, let_in=False).get("/", params={"token": other.token})
        assert answer.status_code == 403
        own = client(shared_workbench, let_in=False)
        refused = own.get("/", headers={"Cookie": cookie_of(made)})
        assert refused.status_code == 401
        value = cookie_of(made).partition("=")[2]
        renamed = f"papilio-{shared_workbench.port}={value}"
        assert own.get("/", headers={"Cookie": renamed}).status_code == 401
        assert (
            status_of_socket(shared_workbench, Origin=shared_workbench.base, Cookie=cookie_of(made))
            == 403
        )


HOSTS = ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}",
         "[::1]:{port}", "0.0.0.0:{port}", "127.0.0.1:{port}, evil", ""]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
def test_a_foreign_host_is_refused_even_with_the_cookie(
    shared_workbench: Running, host: str
) -> None:
    made = client(shared_workbench)
    answer = made.get("/", headers={"Host": host.format(port=shared_workbench.port)})
    assert answer.status_code in (400, 421)


def test_a_rebound_name_is_refused_with_a_page(shared_workbench: Running) -> None:
    made = client(shared_workbench)
    host = f"evil.example:{shared_workbench.port}"
    answer = made.get("/", headers={"Host": host, "Origin": f"http://{host}"})
    assert answer.status_code == 421
    assert is_page(answer, "not the address")
    cookie = cookie_of(made)
    assert (
        status_of_socket(shared_workbench, Host=host, Origin=f"http://{host}", Cookie=cookie) == 403
    )


ORIGINS = ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}",
           "http://127.0.0.1:{port}.evil"]  # fmt: skip


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_foreign_origin_is_refused(shared_workbench: Running, origin: str) -> None:
    made = client(shared_workbench)
    foreign = origin.format(port=shared_workbench.port)
    for answer in (
        made.get("/", headers={"Origin": foreign}),
        made.put("/upload/adult/data/x.csv", headers={"Origin": foreign}),
    ):
        assert answer.status_code == 403
        assert is_page(answer, "Another page")
    cookie = cookie_of(made)
    assert status_of_socket(shared_workbench, Origin=foreign, Cookie=cookie) == 403


def test_what_acts_must_name_its_origin(shared_workbench: Running) -> None:
    made = client(shared_workbench)
    assert made.put("/upload/adult/data/x.csv").status_code == 403
    assert made.post("/").status_code == 403
    assert status_of_socket(shared_workbench, Cookie=cookie_of(made)) == 403


def test_the_websocket_needs_the_cookie(shared_workbench: Running) -> None:
    own = shared_workbench.base
    assert status_of_socket(shared_workbench, Origin=own) == 403
    cookie = cookie_of(client(shared_workbench))
    assert status_of_socket(shared_workbench, Origin=own, Cookie=cookie) == 101


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_pages_cannot_embed_or_read(shared_workbench: Running, site: str) -> None:
    made = client(shared_workbench)
    for mode, dest in (("no-cors", "image"), ("cors", "empty"), ("navigate", "iframe")):
        answer = made.get("/", headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode,
                                        "Sec-Fetch-Dest": dest})  # fmt: skip
        assert answer.status_code == 403
    visited = made.get("/", headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate",
                                     "Sec-Fetch-Dest": "document"})  # fmt: skip
    assert visited.status_code == 200


def test_every_answer_tells_the_browser_to_stay_here(shared_workbench: Running) -> None:
    made = client(shared_workbench)
    for path in ("/", "/nothing", "/static/papilio.css"):
        headers = made.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "http://" not in headers["content-security-policy"].replace("ws://", "")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers


def test_pages_have_no_other_way_than_the_websocket(shared_workbench: Running) -> None:
    made = client(shared_workbench)
    answer = made.get("/_nicegui_ws/socket.io/?EIO=4&transport=polling")
    assert answer.status_code == 403
