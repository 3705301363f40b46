"""YAML that would stand for more than any machine can hold, or is nested without end."""

import tracemalloc
from collections.abc import Callable

import pytest

from papilio import Policy
from papilio.cli.app import run
from papilio.errors import PolicyError
from papilio.policy import files
from papilio.policy.edit import with_value, without
from papilio.policy.files import read_yaml
from papilio.web.draft import Draft, save_draft
from papilio.web.opening import read_policy
from papilio.web.project import opened


def bomb(begin: str, again: str, levels: int = 9) -> str:
    """Each line stands for the one before it nine times."""
    more = [f"a{n}: &a{n} " + again.format(f"*a{n - 1}") for n in range(1, levels + 1)]
    return "\n".join([f"a0: &a0 {begin}", *more]) + "\n"


NINE = "[" + ",".join(["{0}"] * 9) + "]"
KEYS = "{{" + ", ".join(f"k{n}: {{0}}" for n in range(9)) + "}}"
#: Each text, and what its refusal speaks of.
LARGE = {
    "lists": (bomb("[x,x,x,x,x,x,x,x,x]", NINE), "keys and values"),
    "mappings": (bomb("{a: x}", KEYS), "keys and values"),
    "merges": (bomb("{a: x}", "{{<<: [" + ",".join(["{0}"] * 9) + "]}}"), "keys and values"),
    "deep lists": ("a: " + "[" * 3000 + "]" * 3000, "levels"),
    "deep and open": ("a: " + "[" * 100_000, "levels"),
    "deep mappings": ("a: " + "{a: " * 3000 + "}" * 3000, "levels"),
    "deep blocks": ("\n".join(" " * n + "a:" for n in range(1000)), "levels"),
    "deep dashes": ("a:\n " + "- " * 3000 + "x", "levels"),
    "deep aliases": (bomb("[x]", "[{0}]", 40), "levels"),
    "long": ("a: " + "x" * 1_000_001, "characters"),
    "long comment": ("a: 1\n#" + "x" * 5_000_000, "characters"),
    "long base 60": ("a: " + "1:" * 100_000 + "1", "signs"),
    "long whole number": ("a: " + "1" * 5000, "signs"),
    "long hexadecimal": ("a: 0x" + "f" * 50_000, "signs"),
    "long fraction": ("a: 0." + "1" * 5000, "signs"),
    "many": ("a: [" + "x," * 100_001 + "]", "keys and values"),
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_too_large_is_refused_before_it_is_built(name, tmp_path, capsys):
    text, what = LARGE[name]
    tracemalloc.start()
    with pytest.raises(PolicyError, match=what) as caught:
        Policy.parse(text)
    assert tracemalloc.get_traced_memory()[1] < 300_000_000
    tracemalloc.stop()
    assert "\n" not in str(caught.value)
    (tmp_path / "p.yaml").write_text(text)
    assert run(["publish", str(tmp_path / "p.yaml"), "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert what in said


READERS: dict[str, Callable[[str], object]] = {
    "with_value": lambda text: with_value(text, ("a",), 1),
    "without": lambda text: without(text, ("a",)),
    "read_yaml": read_yaml,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", ["lists", "deep lists", "deep blocks"])
def test_every_reader_of_yaml_refuses_it(reader, name):
    with pytest.raises(PolicyError, match=LARGE[name][1]):
        READERS[reader](LARGE[name][0])


@pytest.mark.parametrize("name", ["lists", "deep lists", "deep aliases"])
def test_the_workbench_refuses_it_too(name, tmp_path):
    text, what = LARGE[name]
    (tmp_path / "p.yaml").write_text(text)
    with pytest.raises(PolicyError, match=what):
        read_policy(tmp_path / "p.yaml")
    assert Draft(text).tree == {}
    assert what in Draft(text).faults()[0].message
    with opened(tmp_path / "w") as workspace, pytest.raises(PolicyError, match=what):
        save_draft(workspace.create("p"), Draft(text))


def test_aliases_as_people_use_them_are_fine():
    text = "columns:\n  a: &q {role: quasi}\n" + "".join(f"  c{n}: *q\n" for n in range(500))
    assert len(Policy.parse(text + "privacy: {k: 2}\n").quasi) == 501
    assert read_yaml("a: [" + "x," * 50_000 + "]").data["a"][-1] == "x"


def test_as_deep_as_the_limit_and_no_deeper():
    deep = files.DEEPEST - 1
    read_yaml("a: " + "[" * deep + "]" * deep)
    read_yaml(bomb("x", "[{0}]", deep))
    for text in ("a: " + "[" * (deep + 1) + "]" * (deep + 1), bomb("x", "[{0}]", deep + 1)):
        with pytest.raises(PolicyError, match="levels"):
            read_yaml(text)
