"""The command line: what each command prints, and what its exit code means."""

from __future__ import annotations

import gzip
import json
import shlex
import sys

import pytest
from click.testing import CliRunner

from hayrick.cli import main
from hayrick.cli.demo import suggestions
from hayrick.cli.shorthand import parse_filters
from hayrick.errors import FilterError

RECORDS = [
    {"_id": "a", "title": "Ricks", "text": "hay in the field", "metadata": {"year": 1904, "topics": ["hay"]}},
    {"id": "b", "content": "hay in the barn", "year": 1911, "topics": ["hay", "barn"]},
    {"id": "c", "content": "a needle", "year": 1952},
]


def run(*arguments, code=0, **options):
    result = CliRunner().invoke(main, list(map(str, arguments)), **options)
    assert result.exit_code == code, result.output
    return result


def run_json(*arguments, code=0, **options):
    return json.loads(run(*arguments, "--json", code=code, **options).stdout)


@pytest.fixture
def store(tmp_path):
    source = tmp_path / "records.jsonl"
    source.write_text("\n".join(map(json.dumps, RECORDS)), encoding="utf8")
    run("index", source, "--store", tmp_path / "store")
    return tmp_path / "store"


def found(*arguments, code=0):
    return [document["id"] for document in run_json("search", *arguments, code=code)]


def test_index_reads_every_kind_of_file(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "a.txt").write_text("plain hay", encoding="utf8")
    (folder / "b.md").write_text("# hay", encoding="utf8")
    page = "<html><head><title>Rick</title><style>hay{}</style></head><body><p>hay <b>here</b></p></body></html>"
    (folder / "c.html").write_text(page, encoding="utf8")
    (folder / "d.csv").write_text("id,text,year,open\n1,hay,1904,true\n2,barn,,x\n", encoding="utf8")
    (folder / "e.json").write_text(json.dumps([{"content": "hay"}]), encoding="utf8")
    with gzip.open(folder / "f.jsonl.gz", "wt", encoding="utf8") as file:
        file.write('{"text": "hay", "title": "T"}\n\n')
    (folder / "g.bin").write_bytes(b"\x00")
    counts = run_json("index", folder, "--store", tmp_path / "store")
    assert (counts["written"], counts["documents"]) == (7, 7)
    documents = {d["content"]: d for d in run_json("search", "--store", tmp_path / "store", "-f", "!nothing?")}
    assert documents["hay\nhere"]["meta"]["title"] == "Rick"
    assert documents["plain hay"]["meta"]["suffix"] == ".txt"
    assert documents["barn"]["meta"] == {"open": "x"}
    assert found("hay", "--store", tmp_path / "store", "-f", "year=1904 and open=true") == ["1"]
    assert documents["T hay"]["meta"] == {"title": "T"}


def small_pdf():
    """One page that says "dry hay"."""
    content = b"BT /F 9 Tf 9 9 Td (dry hay) Tj ET"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 99 99]/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>> stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    pdf, table = b"%PDF-1.4\n", b"0000000000 65535 f \n"
    for number, one in enumerate(objects, 1):
        table += b"%010d 00000 n \n" % len(pdf)
        pdf += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    return pdf + b"xref\n0 6\n%strailer <</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (table, len(pdf))


def test_index_reads_pages_of_pdf_files(tmp_path):
    pytest.importorskip("pypdf", reason="the extra pdf is not installed")
    (tmp_path / "a.pdf").write_bytes(small_pdf())
    run("index", tmp_path / "a.pdf", "--store", tmp_path / "store")
    (document,) = run_json("search", "hay", "--store", tmp_path / "store")
    assert (document["content"], document["meta"]["page"]) == ("dry hay", 1)


def test_pdf_files_without_their_extra_say_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdf", None)
    (tmp_path / "a.pdf").write_bytes(small_pdf())
    assert "pip install 'hayrick[pdf]'" in run("index", tmp_path / "a.pdf", "--store", tmp_path / "s", code=2).stderr


def test_index_reads_standard_input_and_names_indexes(tmp_path):
    counts = run_json(
        "index", "-", "--store", tmp_path / "s", "--index", "other", input='{"content": "hay", "id": "x"}\n'
    )
    assert counts["written"] == 1
    assert found("hay", "--store", tmp_path / "s", "--index", "other") == ["x"]


def test_index_keeps_language_and_fields(tmp_path):
    source = tmp_path / "a.jsonl"
    source.write_text('{"id": "x", "content": "die Häuser", "title": "Scheune"}\n', encoding="utf8")
    run(
        "index",
        source,
        "--store",
        tmp_path / "s",
        "--language",
        "de",
        "--search-field",
        "content",
        "--search-field",
        "title^2",
    )
    assert found("Haus", "--store", tmp_path / "s") == ["x"]
    assert found("Scheunen", "--store", tmp_path / "s") == ["x"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", '{"content": "good"}\n{"content": \n', "a.jsonl:2: not JSON"),
        ("a.jsonl", '{"content": "good"}\n{"title": "x"}\n', "a.jsonl:2: no 'content'"),
        ("a.jsonl", "[1]\n", "a.jsonl:1: a record is an object"),
        ("a.jsonl", '{"content": "x", "meta": {"n": 1e999}}\n', "meta.n"),
        ("a.csv", "text,year\nhay\n", "a.csv:2: the line has another number of cells"),
        ("a.xyz", "?", "cannot read this kind of file"),
    ],
)
def test_a_bad_record_stops_with_its_place_and_writes_nothing(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, encoding="utf8")
    result = run("index", tmp_path / name, "--store", tmp_path / "store", code=2)
    assert message.replace("meta.n", "n") in result.stderr
    assert found("good", "--store", tmp_path / "store", code=1) == []


def test_search_ranks_filters_and_lists(store):
    assert found("hay", "--store", store) == ["b", "a"] or found("hay", "--store", store) == ["a", "b"]
    assert found("hay", "--store", store, "--filter", "year<1910") == ["a"]
    assert found("--store", store, "--filter", '{"$not": {"topics": "hay"}}') == ["c"]
    assert found("hay barn", "--store", store, "--all-terms") == ["b"]
    assert len(found("hay", "--store", store, "-k", "1")) == 1
    table = run("search", "hay", "--store", store).stdout
    assert "2 documents of 3" in table
    assert "year=1904" in table


def test_finding_nothing_is_exit_code_1(store):
    assert found("zebra", "--store", store, code=1) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "x", "--store", "STORE", "-f", "year=>1"], "--filter"),
        (["search", "x", "--store", "STORE", "-f", "{"], "not JSON"),
        (["search", "x", "--store", "STORE", "-f", '{"year": {"$gtt": 1}}'], "did you mean '$gt'"),
        (["search", "x", "--store", "STORE", "-k", "0"], "top_k"),
        (["search", "x", "--store", "STORE", "--index", "none"], "no index named 'none'"),
        (["search", "--store", "STORE"], "give a query"),
        (["search", "x", "--store", "STORE/nowhere"], "does not exist"),
        (["doctor", "STORE/documents.sqlite"], "is a file"),
        (["answer", "hay", "--store", "STORE", "--pattern", "("], "pattern"),
        (["answer", "hay", "--store", "STORE", "--reply-file", "STORE/none"], "cannot read the reply"),
        (["index", "STORE/none", "--store", "STORE"], "no such file"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(store, arguments, message):
    result = run(*[argument.replace("STORE", str(store)) for argument in arguments], code=2)
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr


def test_debug_shows_the_error_itself(store):
    result = CliRunner().invoke(main, ["--debug", "search", "x", "--store", str(store), "-f", "{"])
    assert isinstance(result.exception, FilterError)


def test_answer_cites_the_documents_found(store):
    reply = "Hay is kept in a barn [1] or outside [2]. It is never in [7]."
    answer = run_json("answer", "hay barn", "--store", store, "--reply", reply)
    references = answer["meta"]["_references"]
    assert [reference["document_position"] for reference in references] == [1, 2]
    assert references[0]["document_id"] == "b"
    assert reply[references[1]["answer_start_idx"] : references[1]["answer_end_idx"]] == "2"
    shown = run("answer", "hay barn", "--store", store, "--reply-file", "-", input=reply).stdout
    assert "[1] b" in shown


def test_answer_without_a_reply_quotes_and_says_so(store):
    assert "quotes the best documents" in run("answer", "hay", "--store", store).stdout
    answer = run_json("answer", "hay", "--store", store)
    assert answer["quoted"] is True
    assert len(answer["meta"]["_references"]) == 2
    run("answer", "zebra", "--store", store, code=1)


def test_doctor_reports_and_rebuilds(store):
    report = run_json("doctor", store)
    assert report["ok"] is True
    assert report["versions"]["hayrick"]
    run("doctor", store, "--rebuild")
    assert "up to date" in run("doctor", store).stdout
    assert "Installation" in run("doctor").stdout


def test_version_and_help():
    assert "hayrick" in run("--version").stdout
    assert "Search a store" in run("--help").stdout
    assert "--filter" in run("search", "--help").stdout


@pytest.mark.parametrize(
    ("word", "filters"),
    [
        ("year>=2015", {"year": {"$gte": 2015}}),
        ("year < 2015.5", {"year": {"$lt": 2015.5}}),
        ("kind=function", {"kind": {"$eq": "function"}}),
        ("kind!=class", {"kind": {"$ne": "class"}}),
        ("a.b=true", {"a.b": {"$eq": True}}),
        ("a=null", {"a": {"$eq": None}}),
        ('id="007"', {"id": {"$eq": "007"}}),
        ("id=007", {"id": {"$eq": "007"}}),
        ("date>2020-01-01", {"date": {"$gt": "2020-01-01"}}),
        ("genre in economy,politics", {"genre": {"$in": ["economy", "politics"]}}),
        ("year not in 1, 2", {"year": {"$nin": [1, 2]}}),
        ("title~50 % off", {"title": {"$contains": "50 % off"}}),
        ("tags?", {"tags": {"$exists": True}}),
        ("!tags?", {"tags": {"$exists": False}}),
        ("a=", {"a": {"$eq": ""}}),
    ],
)
def test_shorthand(word, filters):
    assert parse_filters([word]) == [{"$and": [filters]}]


def test_shorthand_joins_with_and():
    assert parse_filters(["a=1 and b=2", '{"c": 3}']) == [
        {"$and": [{"a": {"$eq": 1}}, {"b": {"$eq": 2}}]},
        {"$and": {"c": 3}},
    ]
    assert parse_filters([]) is None


@pytest.mark.parametrize("word", ["", "year", "year=>1 or", "=1", "a in", "[1", "?"])
def test_what_is_no_shorthand_is_refused(word):
    with pytest.raises(FilterError):
        parse_filters([word])


def test_demo_leaves_a_store_for_the_commands_it_suggests(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = run("demo").stdout
    assert "references" in shown
    for line in suggestions("hayrick-demo"):
        assert line in shown
        program, *arguments = shlex.split(line)
        assert program == "hayrick"
        assert run(*arguments).stdout
    figures = run_json("demo", "--store", "hayrick-demo")
    assert figures["documents"] > 3_000
    assert [step["step"] for step in figures["steps"]] == ["search", "filtered", "listing", "answer"]
    assert all(step["documents"] for step in figures["steps"])
