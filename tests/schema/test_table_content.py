"""Tables: the same as rows and as a DataFrame."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys

import numpy as np
import pytest

from hayrick.errors import DocumentError
from hayrick.schema import Document, table_rows

ROWS = [["name", "age", "tall", "share"], ["Zoë", 3, True, 0.5], ["Bob", 4, False, None]]


@pytest.fixture
def pandas():
    return pytest.importorskip("pandas", reason="pandas is optional")


def frame_of(pandas, rows):
    return pandas.DataFrame(rows[1:], columns=rows[0])


def test_rows_come_back_as_new_lists():
    rows = table_rows(ROWS)
    rows[1][0] = "changed"
    assert ROWS[1][0] == "Zoë"
    assert table_rows(tuple(map(tuple, ROWS))) == ROWS


def test_a_dataframe_gives_the_rows_it_was_made_from(pandas):
    rows = table_rows(frame_of(pandas, ROWS))
    assert rows == ROWS
    assert [type(cell) for cell in rows[1]] == [str, int, bool, float]


def test_a_dataframe_and_its_rows_are_equal_documents_with_one_id(pandas):
    frame = Document(frame_of(pandas, ROWS), content_type="table")
    rows = Document(ROWS, content_type="table")
    assert frame == rows
    assert frame.id == rows.id
    assert frame.to_dict() == rows.to_dict()


def test_large_dataframes_that_print_alike_have_ids_of_their_own(pandas):
    one = pandas.DataFrame({"n": range(500)})
    other = one.copy()
    other.loc[250, "n"] = -1
    assert str(one) == str(other)
    assert Document(one, "table").id != Document(other, "table").id


def test_duplicate_and_numbered_columns_are_kept(pandas):
    assert table_rows(pandas.DataFrame([[1, 2]], columns=["a", "a"])) == [["a", "a"], [1, 2]]
    assert table_rows(pandas.DataFrame([[1, 2]])) == [[0, 1], [1, 2]]


def test_missing_values_of_every_kind_are_none(pandas):
    frame = pandas.DataFrame({"a": [float("nan")], "b": [pandas.NaT], "c": pandas.array([None], dtype="Int64")})
    assert table_rows(frame)[1] == [None, None, None]
    assert table_rows([["a"], [np.float32("nan")], [np.datetime64("NaT")]]) == [["a"], [None], [None]]


def test_times_become_iso_strings(pandas):
    frame = pandas.DataFrame({"at": [pandas.Timestamp("2024-05-06 07:08:09")]})
    assert table_rows(frame)[1] == ["2024-05-06T07:08:09"]
    assert table_rows([["d"], [dt.date(2024, 5, 6)], [np.datetime64("2024-05-06T00:00:00", "ns")]]) == [
        ["d"], ["2024-05-06"], ["2024-05-06T00:00:00"]
    ]  # fmt: skip


def test_cells_become_what_json_can_hold():
    rows = table_rows([["a"], [np.int64(1)], [np.array([1, 2])], [(1, {2: np.float32(0.5)})], [1 + 2j]])
    assert rows[1:] == [[1], [[1, 2]], [[1, {"2": 0.5}]], ["(1+2j)"]]


@pytest.mark.parametrize("content", ["a,b\n1,2", ["a", "b"], [["a"], "b"], {"a": [1]}, 7])
def test_what_is_no_table_is_refused(content):
    with pytest.raises(DocumentError, match="a table is a list of rows"):
        table_rows(content)
    with pytest.raises(DocumentError, match="a table is a list of rows"):
        Document(content, content_type="table")


def test_a_table_that_is_called_a_text_is_refused_with_a_hint():
    with pytest.raises(DocumentError, match="pass content_type='table'"):
        Document(ROWS)


def test_the_form_of_a_table_survives_in_the_document_and_is_rows_in_dictionaries(pandas):
    document = Document(frame_of(pandas, ROWS), content_type="table")
    assert isinstance(document.content, pandas.DataFrame)
    assert Document.from_dict(document.to_dict()).content == ROWS


def test_a_copy_of_a_table_is_independent(pandas):
    for content in (frame_of(pandas, ROWS), table_rows(ROWS)):
        document = Document(content, content_type="table")
        twin = document.copy()
        assert twin == document
        if isinstance(content, list):
            twin.content[1][0] = "changed"
        else:
            twin.content.loc[0, "name"] = "changed"
        assert table_rows(document.content) == ROWS


def test_a_huge_table_is_shown_in_short(pandas):
    document = Document(pandas.DataFrame({"<b>": range(100_000)}), content_type="table", id="1")
    assert repr(document) == "Document('100000 rows of <b>', id='1')"
    html = document._repr_html_()
    assert "and 99992 more rows" in html
    assert "<th>&lt;b&gt;</th>" in html
    assert len(html) < 2000


def test_pandas_is_never_imported_by_the_schema():
    code = "import sys, hayrick.schema as s; s.Document([['a'], [1]], 'table'); assert 'pandas' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0
