import pytest
from cli_bench import PEOPLE, POLICY, Bench


@pytest.fixture
def bench(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    made = Bench(tmp_path, capsys)
    made.write("people.csv", PEOPLE)
    made.write("policy.yaml", POLICY)
    return made
