"""Whatever goes wrong, what the server prints holds no cell."""

from __future__ import annotations

import json
import re
from pathlib import Path

from asking import client
from browser import DESK, Visit, drawn
from playwright.sync_api import Browser, expect
from running import running

from papilio.web.draft import Draft, save_draft
from papilio.web.project import Workspace

CELL = "MARKER8841"
FILES = {
    "ragged.csv": f"a,b\n{CELL},2\n{CELL}\n{CELL},1,2\n",
    "latin.csv": f"a,b\n{CELL},é\n".encode("latin-1"),
    "quote.csv": f'a,b\n"{CELL},1\n2,3\n',
    "fine.csv": "age,disease\n" + "".join(f"{20 + i},{CELL}{i}\n" for i in range(30)),
    "bad.parquet": f"PAR1{CELL}PAR1",
}
POLICIES = [
    f"columns: {{age: quasi}}\nprivacy: {{k: {CELL}}}\n",
    f"columns: {{age: [{CELL}\n",
    f"papilio: 1\nsource: data/fine.csv\ncolumns: {{age: {{role: quasi, domain: [{CELL}]}}}}\n"
    "privacy: {k: 3}\n",
    f"papilio: 1\nsource: {{sql: \"SELECT CAST('{CELL}' AS INT) AS age\"}}\n"
    "columns: {age: quasi}\nprivacy: {k: 3}\n",
]


def test_nothing_the_server_prints_holds_a_cell(tmp_path: Path, shared_browser: Browser) -> None:
    with running(tmp_path) as server:
        workspace = Workspace(server.workspace)
        visit = Visit(shared_browser, server, DESK)
        page = visit.page()
        for name, content in FILES.items():
            path = tmp_path / name
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            page.goto(server.base)
            page.get_by_label("Choose files").set_input_files(path)
            page.wait_for_url(re.compile("/data$"))
            page.locator("[role=alert], .suggest").first.wait_for()
        for text in POLICIES:
            page.goto(server.base + "/p/fine/data")
            page.get_by_role("button", name="Edit").click()
            page.get_by_role("textbox", name="Policy as YAML").fill(text)
            page.get_by_role("button", name="Apply").click()
            drawn(page)
        broken = workspace.create("broken")
        save_draft(broken, Draft("papilio: 1\nsource: x.csv\n", broken.folder))
        nonsense = [{"name": CELL, "source": "x.csv", "profile": {CELL: CELL}}]
        (broken.state / "profiles.json").write_text(json.dumps(nonsense))
        page.goto(server.base + "/p/broken/data")
        expect(page.get_by_text("a defect of Papilio").first).to_be_visible()
        made = client(server)
        for path in (f"/p/{CELL}/data", f"/p/fine/{CELL}", f"/{CELL}?x={CELL}",
                     f"/download/fine/data/{CELL}", f"/download/fine/reports/{CELL}"):  # fmt: skip
            made.get(path)
        made.get("/", params={"token": CELL})
        made.put(f"/upload/fine/data/{CELL}", content=CELL.encode(),
                 headers={"Origin": f"http://{CELL}"})  # fmt: skip
        visit.context.close()
        code, said = server.stop()
    assert code == 0
    assert CELL not in said
    # The one defect that was provoked is said, in one line and without its text.
    lines = said.splitlines()
    assert lines[0] == "The workbench has ended."
    assert lines[1:] != []
    for line in lines[1:]:
        assert re.fullmatch(r"papilio: a defect of Papilio \(\w+ in \w+\.py:\d+\); .*", line), line
