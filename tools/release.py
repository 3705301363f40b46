"""Build wheel and sdist of the last commit, check them, and try each in an environment of its own.

``make release`` runs it; ``docs/releasing.md`` says what comes before and after. Nothing is
uploaded. What is built is the last commit, unpacked elsewhere, so that no file that merely lies
around gets in.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from packaging.metadata import Metadata

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "src/papilio/"
#: Files that the tools of packaging add.
ADDED_TO_SDIST = re.compile(r"PKG-INFO|setup\.cfg|src/papilio\.egg-info/.*")
ADDED_TO_WHEEL = re.compile(r"papilio-[^/]+\.dist-info/.*")


class NotFitError(Exception):
    """What is wrong with a release of Papilio."""


def main() -> int:
    """Do all of it; 1 if something is not fit to go out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--final", action="store_true", help="refuse what is only a rehearsal")
    final = parser.parse_args().final
    try:
        _release(final=final)
    except (NotFitError, subprocess.CalledProcessError) as error:
        print(f"not fit to go out: {error}", file=sys.stderr)
        return 1
    return 0


def _release(*, final: bool) -> None:
    version = version_of((ROOT / "src/papilio/version.py").read_text(encoding="utf-8"))
    notes = check_changelog((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    notes += ["there are changes that are not committed"] if _git("status", "--porcelain") else []
    if final and notes:
        raise NotFitError("; ".join(notes))
    tracked = _git("ls-tree", "-r", "--name-only", "-z", "HEAD").rstrip("\0").split("\0")
    with tempfile.TemporaryDirectory(prefix="papilio-release-") as folder:
        sdist, wheel = _build(Path(folder))
        check_sdist(_files_of_sdist(sdist), tracked, version)
        check_wheel(_files_of_wheel(wheel), tracked, version)
        for package in (wheel, sdist):
            print(f"{package.name}: {package.stat().st_size:,} bytes, contents as committed")
            _try(package, version, Path(folder))
    for note in notes:
        print(f"only a rehearsal: {note}")


def version_of(source: str) -> str:
    """Version that ``version.py`` states."""
    match = re.search(r'^__version__ = "([^"]+)"$', source, re.M)
    if match is None:
        raise NotFitError("src/papilio/version.py states no version")
    return match[1]


def check_changelog(text: str, version: str) -> list[str]:
    """Check that the changelog's newest version is this one; note what is not released yet."""
    headings = re.findall(r"^## (\S+)", text, re.M)
    newest = next((each for each in headings if each != "Unreleased"), None)
    if newest != version:
        raise NotFitError(
            f"the newest version of CHANGELOG.md is {newest}, that of the code {version}"
        )
    unreleased = re.search(r"^## Unreleased\n(.*?)(?=^## )", text, re.M | re.S)
    if unreleased is not None and re.search(r"^- ", unreleased[1], re.M):
        return ["CHANGELOG.md has changes under Unreleased; give them a version"]
    return []


def check_sdist(files: Mapping[str, bytes], tracked: Iterable[str], version: str) -> None:
    """Check that the sdist is the repository, whole and with nothing else."""
    _same("sdist", {name for name in files if not ADDED_TO_SDIST.fullmatch(name)}, set(tracked))
    _check_metadata("sdist", files["PKG-INFO"], version)
    _check_places("sdist", files)


def check_wheel(files: Mapping[str, bytes], tracked: Iterable[str], version: str) -> None:
    """Check that the wheel is the package, whole and with nothing else."""
    ours = {name.removeprefix("src/") for name in tracked if name.startswith(PACKAGE)}
    _same("wheel", {name for name in files if not ADDED_TO_WHEEL.fullmatch(name)}, ours)
    info = f"papilio-{version}.dist-info"
    for needed in ("METADATA", "entry_points.txt", "licenses/LICENSE", "licenses/NOTICE"):
        if f"{info}/{needed}" not in files:
            raise NotFitError(f"the wheel has no {info}/{needed}")
    _check_metadata("wheel", files[f"{info}/METADATA"], version)
    _check_places("wheel", files)


def _same(kind: str, got: set[str], expected: set[str]) -> None:
    for wrong, names in (("lacks", expected - got), ("has also", got - expected)):
        if names:
            some = ", ".join(sorted(names)[:5])
            raise NotFitError(f"the {kind} {wrong} {len(names)} files: {some}")


def _check_metadata(kind: str, raw: bytes, version: str) -> None:
    known = Metadata.from_email(raw, validate=True)
    if str(known.version) != version:
        raise NotFitError(f"the {kind} says that it is version {known.version}, not {version}")
    if not known.description or known.description_content_type != "text/markdown":
        raise NotFitError(f"the {kind} does not show the README")


def _check_places(kind: str, files: Mapping[str, bytes]) -> None:
    """No file may tell where, or on which machine, it was made."""
    places = {str(ROOT), str(Path.home())} - {"/", "/root"}
    for name, content in files.items():
        if any(place.encode() in content for place in places):
            raise NotFitError(f"{name} of the {kind} names a folder of this machine")


def _build(folder: Path) -> tuple[Path, Path]:
    """Build both from the last commit; the wheel from the sdist."""
    source, dist = folder / "source", ROOT / "dist"
    source.mkdir()
    archive = folder / "source.tar"
    _git("archive", "--output", str(archive), "HEAD")
    with tarfile.open(archive) as packed:
        packed.extractall(source, filter="data")
    shutil.rmtree(dist, ignore_errors=True)
    moment = _git("log", "-1", "--format=%ct").strip()
    _run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(dist), str(source)],
        quiet=True,
        SOURCE_DATE_EPOCH=moment,
    )
    (sdist,), (wheel,) = dist.glob("*.tar.gz"), dist.glob("*.whl")
    return sdist, wheel


def _files_of_sdist(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as packed:
        files = {each.name: packed.extractfile(each) for each in packed if each.isfile()}
        return {
            name.partition("/")[2]: content.read() for name, content in files.items() if content
        }


def _files_of_wheel(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist() if not name.endswith("/")}


def _try(package: Path, version: str, folder: Path) -> None:
    """Install into an empty environment, with what it says it needs, and run it from elsewhere."""
    place = folder / package.name
    place.mkdir()
    _run([sys.executable, "-m", "venv", str(place / "venv")])
    python, papilio = place / "venv/bin/python", place / "venv/bin/papilio"
    pins = place / "pins.txt"
    pins.write_text(pinned((ROOT / "requirements/runtime.txt").read_text(encoding="utf-8")))
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "install", "--constraint", str(pins), str(package)], quiet=True)
    _run([*pip, "check"], quiet=True)
    told = _run([str(papilio), "--version"], place)
    if version not in told.split():
        raise NotFitError(f"what was installed from {package.name} says that it is {told.strip()}")
    print(f"  installed: {told.strip()}")
    told = _run([str(papilio), "demo", "--output", "demo"], place)
    if not (place / "demo" / "report.html").exists():
        raise NotFitError(f"what was installed from {package.name} wrote no report")
    print("  papilio demo:", next(line for line in told.splitlines() if "as a whole" in line))
    # An environment has a gigabyte; the other package needs the room.
    shutil.rmtree(place)


def pinned(requirements: str) -> str:
    """The versions of a file of requirements without their hashes, which a local file has not."""
    return "".join(f"{each}\n" for each in re.findall(r"^[\w.-]+==[^\s\\]+", requirements, re.M))


def _git(*arguments: str) -> str:
    return _run(["git", *arguments], ROOT)


def _run(
    command: list[str], folder: Path = ROOT, *, quiet: bool = False, **environment: str
) -> str:
    """Run a command; what it says on its errors is shown if it fails, or at once if not quiet."""
    hidden = {name for name in os.environ if name.startswith(("PYTHON", "NUMBA_", "VIRTUAL_ENV"))}
    clean = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        command, cwd=folder, env=clean | environment, capture_output=True, text=True
    )
    if done.returncode or not quiet:
        sys.stderr.write(done.stderr)
    done.check_returncode()
    return done.stdout


if __name__ == "__main__":
    raise SystemExit(main())
