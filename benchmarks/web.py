"""How long the workbench's event loop is held while a million rows are worked on.

A beat every five milliseconds runs beside the pages. Whatever holds the loop up delays it. The
machine may be busy with other things, so the time the loop's own thread worked between two beats is
told too: that is what handlers cost, whoever else is running.

    python benchmarks/web.py [--rows 1000000]

The yardstick is a page that does nothing, visited in the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from adult_like import adult_like

BEAT = 0.005
#: What the workbench promises.
PROMISED = 0.2


@dataclass
class Held:
    """The longest the loop was held since the last question, in seconds."""

    wall: float = 0.0
    own: float = 0.0


def serve(workspace: Path, beats: Path) -> None:
    """Serve as ``papilio serve`` does, with a beat that notes its delays."""
    from nicegui import app

    from papilio.web.server import Settings
    from papilio.web.server import serve as serve_workbench

    async def beat() -> None:
        with beats.open("w", buffering=1) as file:
            while True:
                wall, own = time.perf_counter(), time.thread_time()
                await asyncio.sleep(BEAT)
                late = time.perf_counter() - wall - BEAT
                if late > 0.02:
                    worked = time.thread_time() - own
                    file.write(json.dumps([time.time(), late, worked]) + "\n")

    app.on_startup(lambda: asyncio.create_task(beat()))
    serve_workbench(
        Settings(workspace, browser=False), lambda address, _: print(address, flush=True)
    )


def held(beats: Path, since: float) -> Held:
    found = [json.loads(line) for line in beats.read_text().splitlines()]
    late = [each for each in found if each[0] >= since]
    return Held(max((e[1] for e in late), default=0.0), max((e[2] for e in late), default=0.0))


def tell(what: str, beats: Path, began: float) -> Held:
    found = held(beats, began)
    print(
        f"{what:<44}{time.time() - began:7.1f} s   held {1000 * found.wall:5.0f} ms, "
        f"its own work {1000 * found.own:5.0f} ms"
    )
    return found


def go_through(page: Page, base: str, data: Path, beats: Path) -> list[Held]:
    """Visit every step with the large file; publish it once, and cancel once."""
    seen = []
    began = time.time()
    for _ in range(3):
        page.goto(base)
        page.get_by_role("heading", level=1).wait_for()
    seen.append(tell("the start page, three times", beats, began))

    began = time.time()
    page.get_by_label("Choose files").set_input_files(data)
    page.wait_for_url(re.compile("/data$"), timeout=120_000)
    seen.append(tell(f"upload of {data.stat().st_size / 2**20:.0f} MiB", beats, began))

    began = time.time()
    use = page.get_by_role("button", name="Use these suggestions")
    use.wait_for(timeout=300_000)
    seen.append(tell("profile", beats, began))

    project = page.url.rpartition("/")[0]
    began = time.time()
    use.click()
    page.wait_for_url(re.compile("/columns$"))
    for step in ("columns", "recipients", "requirements", "run"):
        page.goto(f"{project}/{step}")
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_timeout(3000)
    seen.append(tell("the steps before the run", beats, began))

    began = time.time()
    for stage in ("Reading", "Dividing", "Verifying"):
        cancel_during(page, stage)
    seen.append(tell("runs that are cancelled", beats, began))

    began = time.time()
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url(re.compile("/result"), timeout=600_000)
    page.get_by_role("heading", name="Verified").wait_for(timeout=600_000)
    seen.append(tell("a run", beats, began))
    return seen


def cancel_during(page: Page, stage: str) -> None:
    """Run, cancel at a stage, and tell how long the page took to say that nothing was written."""
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".progress .stage", has_text=stage).wait_for(timeout=600_000)
    cancelled = time.time()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled. Nothing was written.").wait_for()
    print(f"{f'cancelled while {stage.lower()}, within':<44}{time.time() - cancelled:7.2f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--serve", nargs=2, metavar=("WORKSPACE", "BEATS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(Path(options.serve[0]), Path(options.serve[1]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return measure(Path(folder), options.rows)


def measure(folder: Path, rows: int) -> int:
    data, beats = folder / "people.csv", folder / "beats"
    adult_like(rows).write_csv(data)
    command = [sys.executable, __file__, "--serve", str(folder / "workspace"), str(beats)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().split()[-1]
        base = address.partition("?")[0]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_page()
            page.goto(address)
            page.wait_for_url(base)
            seen = go_through(page, base, data, beats)
            browser.close()
    finally:
        server.terminate()
        server.wait()
    longest, own = max(each.wall for each in seen), max(each.own for each in seen)
    idle = max(seen[0].wall, BEAT)
    print(
        f"longest hold {1000 * longest:.0f} ms, {longest / idle:.1f} times that of the start page"
    )
    print(f"longest own work between two beats {1000 * own:.0f} ms; {1000 * PROMISED:.0f} promised")
    return int(own > PROMISED)


if __name__ == "__main__":
    sys.exit(main())
