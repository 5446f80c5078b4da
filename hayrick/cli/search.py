"""``hayrick search``: a query, a filter, or both."""

from __future__ import annotations

import time

import click

from hayrick.cli import output
from hayrick.cli.shorthand import parse_filters
from hayrick.errors import QueryError

FILTER_HELP = "JSON, or year>=2015, genre in a,b, title~hay, tags?, joined by ' and '; several are ANDed."


@click.command("search")
@click.argument("query", required=False)
@click.option("--store", "path", required=True, help="The store's folder.")
@click.option("--filter", "-f", "words", multiple=True, help=FILTER_HELP)
@click.option("--top-k", "-k", default=10, show_default=True, help="How many documents at most.")
@click.option("--offset", default=0, help="How many of the best to leave out.")
@click.option("--index", "name", help="The index in the store; its default where not given.")
@click.option("--all-terms", is_flag=True, help="Every word of the query must occur.")
@click.option("--json", "as_json", is_flag=True, help="Print the documents as JSON.")
def command(
    *, query: str | None, path: str, words: tuple[str, ...], top_k: int, offset: int, name: str | None, all_terms: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Search a store by BM25; without a QUERY, list what the filter matches.

    Exit code 0 where something was found, 1 where nothing was, 2 where the input was wrong.
    """
    filters = parse_filters(words)
    if query is None and filters is None:
        raise QueryError("give a query, or a --filter, or both")
    from hayrick.stores.registry import open_store  # noqa: PLC0415 - so that --help loads no engine

    with open_store(path) as store:
        start = time.perf_counter()
        found = store.query(query, filters, top_k, index=name, all_terms_must_match=all_terms, offset=offset)
        milliseconds = (time.perf_counter() - start) * 1000
        total = store.count(filters, name)
    if as_json:
        output.print_json([output.as_dict(document) for document in found])
    else:
        of = f" of {total:,} that the filter matches" if filters else f" of {total:,}"
        output.console().print(output.documents_table(found)) if found else None
        click.echo(f"{len(found)} documents{of}, {milliseconds:.1f} ms")
    raise SystemExit(output.FOUND if found else output.NOTHING)
