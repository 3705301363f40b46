"""Demands of single recipients, columns to be kept from them, and coalitions of some of them."""

import json
import random
from dataclasses import replace
from itertools import combinations

import polars as pl
import pytest

import papilio as pp
from in_pieces import publish_in_pieces
from oracles import recipient_demands as oracle
from papilio.cli.app import run
from papilio.errors import InfeasibleError, PolicyError
from papilio.families.recipients.family import RECIPIENTS
from papilio.release.manifest import Claim
from seven_families import make_memory_small
from shared_releases import shared_release
from sizes import some, spread, tries

COLUMNS = {"age": "quasi", "job": "quasi", "town": "quasi", "ill": "sensitive"}
METHODS = ("union", "butterfly")


def people(seed, rows=60):
    draw = random.Random(seed)
    return pl.DataFrame(
        {
            "age": [draw.randrange(20, 40) for _ in range(rows)],
            "job": [draw.choice("abcdef") for _ in range(rows)],
            "town": [draw.choice("uvwxyz") for _ in range(rows)],
            "ill": [draw.choice(["flu", "hiv", "none"]) for _ in range(rows)],
        }
    )


def order(recipients, privacy, **more):
    return pp.Policy(columns=COLUMNS, recipients=recipients, privacy=privacy, **more)


def cells_of(release, name="people"):
    """Rows of a release, cells as sets of values."""
    rows = []
    for line in release.frames[name].iter_rows(named=True):
        ages = range(line["age_min"], line["age_max"] + 1)
        sets = {key: set(json.loads(line[key])) for key in ("job", "town")}
        rows.append({"age": set(ages), **sets, "ill": line["ill"]})
    return rows


def random_order(seed):
    draw = random.Random(seed)
    known = {
        "one": ["age"],
        "two": ["job", "town"],
        "three": draw.choice([["town"], ["age", "town"]]),
    }
    recipients = {}
    for name, columns in known.items():
        said = {"knows": columns}
        if draw.random() < 0.5:
            said["k"] = draw.randrange(2, 7)
        if draw.random() < 0.5:
            said["l"] = {"ill": 2}
        others = [each for each in ("age", "job", "town") if each not in columns]
        if others and draw.random() < 0.7:
            said["secret"] = {draw.choice(others): draw.choice([2, {"l": 3}])}
        recipients[name] = said if len(said) > 1 else columns
    privacy = {"k": 3}
    if draw.random() < 0.5:
        privacy["collusion"] = draw.choice(
            [{"any_two": 2}, {"any_two": 3, "all": 2}, [{"who": ["one", "three"], "k": 3}], 2]
        )
    return order(recipients, privacy)


def check(policy, cells):
    """Everything that is demanded, by the oracle."""
    known = policy.known
    for name, said in policy.recipients.items():
        assert oracle.smallest(cells, known[name]) >= (said.k or policy.privacy.k)
        for column, wanted in said.secret.items():
            assert oracle.values_left(cells, known[name], column) >= wanted.l
        if said.l:
            for rows in oracle.classes(cells, known[name]):
                assert len({row["ill"] for row in rows}) >= 2
    said = policy.privacy.collusion
    if said is None:
        return
    for size in range(2, len(known) + 1):
        for names in combinations(known, size):
            k = 1 if said.any_two is None or size > 2 else said.any_two
            k = max(k, said.all or 1) if size == len(known) else k
            k = max([k, *(each.k for each in said.named if set(each.who) == set(names))])
            union = [c for c in COLUMNS if any(c in known[each] for each in names)]
            assert oracle.smallest(cells, union) >= k


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(tries(2, 60)))
@pytest.mark.parametrize("method", METHODS)
def test_every_recipient_gets_what_is_demanded_for_them(seed, method):
    frame, policy = people(seed), random_order(seed).varied([(("method",), method)])
    release = pp.publish(frame, policy, name="people", seed=seed)
    check(policy, cells_of(release))
    assert release.verify(original=policy, data=frame).holds
    for result in pp.attack(release, original=policy, data=frame):
        if result.attack == "learnt_of_others":
            who = policy.recipients[result.attacker.partition(",")[0]]
            assert not any(e.people for e in result.exposed if e.column in who.secret)
        if result.attack in ("linkage", "collusion"):
            # Without a promise to a coalition, whoever is alone counts.
            promised = result.attack == "linkage" or policy.privacy.collusion is not None
            alone = [e.people for e in result.exposed if e.column is None]
            assert not promised or result.figures["singled_out"] or alone == [0]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", some(range(4), first=1))
def test_pieces_keep_it_too(method, seed):
    frame, policy = people(seed, 400), random_order(seed).varied([(("method",), method)])
    release, _ = publish_in_pieces(frame, policy, 150)
    check(policy, cells_of(release, release.manifest.tables[0].name))


def test_the_school_does_not_learn_the_job():
    """Each age has one job: a school that knows the age learns all of them, unless it must not."""
    frame = pl.DataFrame(
        {"age": [30 + row // 4 for row in range(16)], "job": [f"j{row // 4}" for row in range(16)]}
    )
    columns = {"age": "quasi", "job": "quasi"}
    plain = pp.Policy(
        columns=columns, recipients={"school": ["age"], "employer": ["job"]}, privacy=pp.K(4)
    )

    def learnt(policy):
        release = pp.publish(frame, policy, name="people", seed=1)
        assert release.verify(original=policy, data=frame).holds
        results = pp.attack(release, original=policy, data=frame)
        return [e for r in results if r.attack == "learnt_of_others" for e in r.exposed]

    found = learnt(plain)
    assert [(e.people, e.column) for e in found] == [(16, "job"), (16, "age")]
    (attack,) = (each for each in RECIPIENTS.attacks if each.name == "learnt_of_others")
    remedy = attack.remedy(found[0], plain)
    assert remedy.line == "recipients: {school: {knows: [age], secret: {job: {l: 2}}}}"
    mended = plain.varied(remedy.changes)
    assert [e.people for e in learnt(mended)] == [0, 0]
    assert attack.remedy(found[0], mended) is None


def test_who_may_know_less_loses_nothing_for_it():
    """The employer's own classes need not have several jobs because the school must not know."""
    frame = people(3, 300)
    recipients = {"school": {"knows": ["age"], "secret": {"job": 2}}, "employer": ["job", "town"]}
    release = pp.publish(
        frame, order(recipients, {"k": 5}, method="butterfly"), name="people", seed=1
    )
    sizes = [len(row["job"]) for row in cells_of(release)]
    assert sizes.count(1) > 200


@pytest.mark.parametrize("method", METHODS)
def test_a_secret_is_kept_from_people_who_know_their_own_rows(method):
    """Without the rows of any one person a class still has two jobs."""
    draw = random.Random(4)
    owners = [f"p{row // 3 if row < 60 else row}" for row in range(160)]
    frame = people(4, 160).with_columns(
        pid=pl.Series(owners),
        # Most have one job; who has several rows has others besides.
        job=pl.Series(
            [draw.choice("bcd") if row % 3 < 2 and row < 60 else "a" for row in range(160)]
        ),
        row=pl.int_range(160),
    )
    columns = {**COLUMNS, "pid": "identifier", "row": "plain"}
    recipients = {"school": {"knows": ["age"], "secret": {"job": 2}}, "employer": ["job", "town"]}
    policy = pp.Policy(
        columns=columns, recipients=recipients, privacy={"k": 3}, method=method, person="pid"
    )
    release = pp.publish(frame, policy, name="people", seed=1)
    parts = release.frames["people"].partition_by("age_min", "age_max")
    assert len(parts) > 3
    jobs = frame.get_column("job").to_list()
    for part in parts:
        held = [(owners[row], jobs[row]) for row in part.get_column("row")]
        for person in {owner for owner, _ in held if owners.count(owner) > 1}:
            assert len({job for owner, job in held if owner != person}) >= 2


def test_a_secret_that_nobody_can_keep_is_refused_with_the_nearest():
    frame = people(1).with_columns(job=pl.lit("a"))
    recipients = {"one": {"knows": ["age"], "secret": {"job": 2}}, "two": ["job", "town"]}
    with pytest.raises(InfeasibleError, match="'job': secret-column") as caught:
        pp.publish(frame, order(recipients, {"k": 3}))
    assert caught.value.nearest == "an l of at most 1 is accepted"


STRICTER = [
    (("recipients", "one", "k"), 9),
    (("recipients", "one", "secret", "job", "l"), 5),
    (("recipients", "two", "l"), {"ill": 3}),
    (("recipients", "two", "t"), {"ill": 0.01}),
    (("privacy", "collusion"), {"any_two": 4, "all": 2}),
    (("privacy", "collusion"), [{"who": ["one", "three"], "k": 4}]),
]


@pytest.mark.parametrize(("path", "value"), spread(STRICTER, 2))
def test_a_stricter_policy_is_violated_and_holds_once_it_is_published(path, value):
    recipients = {
        "one": {"knows": ["age"], "secret": {"job": 2}}, "two": ["job"], "three": ["town", "job"]
    }  # fmt: skip
    frame = people(5, 200)
    policy = order(recipients, {"k": 4, "collusion": {"any_two": 2}})
    release = pp.publish(frame, policy, name="people", seed=1)
    assert release.verify(original=policy, data=frame).holds
    stricter = policy.varied([(path, value)])
    verdict = release.verify(original=stricter, data=frame)
    assert [f.claim for f in verdict.findings if f.status.value == "violated"] == [
        "promised claims"
    ]
    again = pp.publish(frame, stricter, name="people", seed=1)
    assert again.verify(original=stricter, data=frame).holds
    assert again.verify(original=policy, data=frame).holds == (
        "collusion" not in path or "any_two" in value
    )


def secret_claim(recipient, known, column, least):
    parameters = {"column": column, "l": least}
    return Claim("secret-column", "people", recipient, known, parameters)


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(tries(2, 300)))
def test_the_verifier_counts_as_the_oracle(seed):
    draw = random.Random(seed)
    rows = draw.randrange(2, 8)
    frame = pl.DataFrame(
        {
            "age": [draw.randrange(4) for _ in range(rows)],
            "job": [draw.choice("abc") for _ in range(rows)],
        }
    )
    blocks = {name: [draw.randrange(3) for _ in range(rows)] for name in frame.columns}
    made = shared_release(frame, blocks, {"school": ("age",), "employer": ("job",), "none": ()})
    for who, known, column in (
        ("school", ("age",), "job"), ("employer", ("job",), "age"), ("none", (), "job")
    ):  # fmt: skip
        left = oracle.values_left(made.cells, known, column)
        for least in (2, 3):
            claims = (*made.release.manifest.claims, secret_claim(who, known, column, least))
            release = replace(made.release, manifest=replace(made.release.manifest, claims=claims))
            (found,) = (
                f for f in release.verify().findings if f.claim == "secret-column"
            )  # fmt: skip
            assert (found.status.value == "holds") == (left >= least)
            assert found.measured.startswith(f"l = {left} over")


@pytest.mark.parametrize(
    ("known", "column", "why"),
    [
        (("age", "job"), "job", "the recipient knows the column"),
        (("age",), "ill", "the claim names no quasi-identifier"),
    ],
)
def test_a_claim_that_says_nothing_is_violated(known, column, why):
    frame = people(1, 10)
    blocks = {name: [0] * 10 for name in ("age", "job", "town")}
    made = shared_release(frame, blocks, None, sensitive=("ill",))
    claims = (*made.release.manifest.claims, secret_claim("x", known, column, 2))
    release = replace(made.release, manifest=replace(made.release.manifest, claims=claims))
    assert any(
        f.measured == why and f.status.value == "violated" for f in release.verify().findings
    )


def test_what_a_file_names_is_known(tmp_path):
    (tmp_path / "voters.csv").write_text("surname,age,town,party\nMiller,33,x,none\n")
    text = (
        "columns: {age: quasi, job: quasi, town: quasi, ill: sensitive}\n"
        "recipients: {insurer: {knows: voters.csv, k: 5}, personnel: [job]}\n"
        "privacy: {k: 3}\n"
    )
    policy = pp.Policy.parse(text, base=tmp_path)
    assert policy.known == {"insurer": ("age", "town"), "personnel": ("job",)}
    release = pp.publish(people(1), policy, name="people", seed=1)
    claims = {claim.recipient: claim for claim in release.manifest.claims}
    assert claims["insurer"].columns == ("age", "town")
    assert claims["insurer"].parameters == {"k": 5}
    assert release.verify(original=policy, data=people(1)).holds


@pytest.mark.parametrize(
    ("header", "file", "said"),
    [
        ("surname,party", "voters.csv", "names no quasi-identifier"),
        ("age,ill", "voters.csv", "'ill', which voters.csv has, is sensitive, not quasi"),
        ("age,town", "no.csv", "no such file"),
        ("age,town", "../voters.csv", "leads out of the policy's folder"),
    ],
)
def test_a_file_that_does_not_do_is_a_fault(tmp_path, header, file, said):
    (tmp_path / "voters.csv").write_text(f"{header}\nsecretcell,1\n")
    text = (
        "columns: {age: quasi, job: quasi, town: quasi, ill: sensitive}\n"
        f"recipients: {{insurer: {{knows: {file}}}, personnel: [job, age, town]}}\n"
        "privacy: {k: 3}\n"
    )
    with pytest.raises(PolicyError) as caught:
        pp.Policy.parse(text, base=tmp_path)
    assert any(said in fault.message for fault in caught.value.faults)
    assert "secretcell" not in str(caught.value)


FAULTS = [
    ({"one": {"knows": ["age"], "secret": {"age": 2}}}, {}, "one may know 'age'"),
    ({"one": {"knows": ["age"], "secret": {"ill": 2}}}, {}, "of a sensitive column demand l"),
    ({"one": {"knows": ["age"], "secret": {"no": 2}}}, {}, "columns has no 'no'"),
    ({"one": {"knows": ["age"], "secret": {"job": 1}}}, {}, "2"),
    ({"one": {"knows": ["age"], "l": {"job": 2}}}, {}, "not sensitive"),
    ({"one": {"knows": ["age"], "file": "x.csv"}}, {}, "or a file that has them"),
    ({"one and all together": ["age"]}, {}, "choose another name"),
    ({}, {"collusion": {"all": 2}, "collusion_k": 2}, "give one of them"),
    ({}, {"collusion": [{"who": ["two", "nobody"], "k": 2}]}, "recipients has no 'nobody'"),
    ({}, {"collusion": [{"who": ["two", "two"], "k": 2}]}, "two or more different recipients"),
    ({}, {"collusion": {}}, "give any_two, all, or a list"),
]


@pytest.mark.parametrize(("recipients", "privacy", "said"), FAULTS)
def test_what_makes_no_sense_is_a_fault(recipients, privacy, said):
    with pytest.raises(PolicyError) as caught:
        order({"one": ["age"], "two": ["job", "town"], **recipients}, {"k": 3, **privacy})
    assert any(said in fault.message for fault in caught.value.faults)


def test_a_coalition_has_the_k_that_is_demanded_of_it():
    recipients = {"one": ["age"], "two": ["job"], "three": ["town"]}
    policy = order(recipients, {"k": 6, "collusion": {"any_two": 4, "all": 2}})
    release = pp.publish(people(2, 200), policy, name="people", seed=1)
    claimed = {claim.recipient: claim.parameters["k"] for claim in release.manifest.claims}
    assert claimed == {
        "one": 6, "two": 6, "three": 6, "one and two together": 4, "one and three together": 4,
        "two and three together": 4, "all recipients together": 2,
    }  # fmt: skip


def test_collusion_has_a_remedy():
    recipients = {"one": ["age"], "two": ["job", "town"]}
    frame = people(2, 200)
    policy = order(recipients, {"k": 6})
    (attack,) = (each for each in RECIPIENTS.attacks if each.name == "collusion")

    def exposed(policy):
        release = pp.publish(frame, policy, name="people", seed=1)
        results = pp.attack(release, original=policy, data=frame)
        return [e for r in results if r.attack == "collusion" for e in r.exposed]

    alone, value = exposed(policy)
    assert alone.people
    assert value.people
    remedy = attack.remedy(alone, policy)
    assert remedy.line == "privacy: {collusion_k: 2}"
    assert exposed(policy.varied(remedy.changes))[0].people == 0
    remedy = attack.remedy(value, policy)
    assert remedy.line == "method: union; privacy: {l: {ill: 2}}"
    assert [e.people for e in exposed(policy.varied(remedy.changes))] == [0, 0]


@pytest.mark.parametrize("memory", [False, True])
def test_on_the_command_line_from_disk_and_back(memory, tmp_path, capsys, monkeypatch):
    people(7, 80).write_csv(tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(
        "source: people.csv\n"
        "columns: {age: quasi, job: quasi, town: quasi, ill: sensitive}\n"
        "recipients:\n"
        "  one: {knows: [age], secret: {job: 2}, k: 6}\n"
        "  two: {knows: [job, town], l: {ill: 2}, secret: {age: {l: 3}}}\n"
        "privacy: {k: 3, collusion: {any_two: 2}}\n"
    )
    if memory:
        make_memory_small(monkeypatch)
    file, out = str(tmp_path / "policy.yaml"), str(tmp_path / "out")
    assert run(["publish", file, "-o", out, *(["--memory", "600MiB"] if memory else [])]) == 0
    check(pp.Policy.load(file), cells_of(pp.Release.open(out)))
    assert run(["verify", out, "--original", file]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "secret-column" in said
