"""``papilio verify``: the independent verdict on a release, or on a plain table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from papilio.cli.output import Allow, clear_leftovers, print_json, print_verdict, progress_bar, say
from papilio.errors import PapilioError, ReleaseError, shown

if TYPE_CHECKING:
    from papilio.policy.policy import Policy

NAME = "verify"

_MANIFEST = "release.json"


def command(
    release: Annotated[
        str,
        typer.Argument(
            help="Directory of the release; or, with --policy, a table: a file, a folder, or "
            "postgresql://…/database#table."
        ),
    ],
    original: Annotated[
        Path | None,
        typer.Option(
            help="The policy the release was made with: also check truthfulness and losses."
        ),
    ] = None,
    policy: Annotated[
        Path | None,
        typer.Option(help="The policy that a plain table is checked against, as it is."),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            help="Most memory the check of a release may use, such as 8GiB; without --original, "
            "what does not fit goes to a private folder for temporary files."
        ),
    ] = None,
    allow: Allow = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Judge a release, or a plain table.

    Exit 0 if everything holds, 1 if not.
    """
    from papilio.policy.policy import Policy

    _check_use(release, _is_release(release), original, policy)
    clear_leftovers(Path(release).absolute().parent)
    if policy is None:
        order = None if original is None else Policy.load(original, allow=allow or ())
        return _release(release, order, memory, as_json)
    return _table(release, Policy.load(policy, allow=allow or ()), as_json)


def _is_release(what: str) -> bool:
    try:
        return Path(what, _MANIFEST).exists()
    except OSError:
        return False


def _check_use(what: str, is_release: bool, original: Path | None, policy: Path | None) -> None:
    if is_release and policy is not None:
        raise PapilioError(
            f"{what} is a release and makes its own claims; --policy is for plain tables, and "
            "--original compares a release with what it was made from",
            reason="misuse",
        )
    if not is_release and original is not None and policy is not None:
        raise PapilioError(
            f"{what} is no release; --original goes with one, --policy with a plain table",
            reason="misuse",
        )
    if not is_release and policy is None:
        raise ReleaseError(
            f"{what} is not a release: it has no readable {_MANIFEST}; a plain table is checked "
            "with --policy",
            reason="not-a-release",
        )


def _release(release: str, original: Policy | None, memory: str | None, as_json: bool) -> int:
    from papilio.families.engines.disk.memory import parse_size
    from papilio.workflow.verify import verify

    # The rest of the program needs room as well.
    limit = None if memory is None else parse_size(memory) * 3 // 4
    verdict = verify(release, original=original, memory=limit)
    if as_json:
        print_json(verdict.to_dict())
    else:
        print_verdict(verdict)
    return 0 if verdict.holds else 1


def _table(data: str, policy: Policy, as_json: bool) -> int:
    from papilio.workflow.check_table import check_table

    with progress_bar() as progress:
        found = check_table(data, policy, progress=progress)
    if as_json:
        print_json({**found.verdict.to_dict(), "left_out": list(found.left_out)})
    else:
        print_verdict(found.verdict, "table")
        if found.left_out:
            names = ", ".join(map(shown, found.left_out))
            say(f"Not looked at, because the policy does not mention them: {names}.")
    return 0 if found.verdict.holds else 1
