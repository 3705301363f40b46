"""Bytes in stretches of a shared file read as if they lay in one piece."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.families.engines.disk.rows_on_disk import Stretches
from papilio.release.scratch import unnamed_file


@given(st.lists(st.tuples(st.integers(0, 2), st.binary(max_size=9)), max_size=30), st.data())
def test_like_bytes_in_memory(tmp_path_factory, writes, data):
    with unnamed_file(tmp_path_factory.getbasetemp()) as file:
        stretches = [Stretches(file) for _ in range(3)]
        expected = [b"", b"", b""]
        for number, content in writes:
            stretches[number].append(content)
            expected[number] += content
        for mine, content in zip(stretches, expected, strict=True):
            assert mine.length == len(content)
            begin = data.draw(st.integers(0, len(content)))
            length = data.draw(st.integers(0, len(content) - begin))
            assert mine.read(begin, length) == content[begin : begin + length]
            if length:
                array = mine.mapped(begin, length, np.dtype(np.uint8))
                assert array.tobytes() == content[begin : begin + length]


def test_what_is_written_in_a_row_is_one_stretch(tmp_path):
    with unnamed_file(tmp_path) as file:
        one = Stretches(file)
        for _ in range(5):
            one.append(b"x" * 5000)
        assert (list(one.begins), list(one.ends)) == ([0], [25000])
        assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_too_short_is_noticed(tmp_path):
    with unnamed_file(tmp_path) as file:
        one = Stretches(file)
        one.append(b"abc")
        file.truncate(1)
        with pytest.raises(EOFError):
            one.read(0, 3)
