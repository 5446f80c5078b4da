"""What every retriever shares: one way to be run in a pipeline, to be timed, and to be awaited.

What goes in: a query and filters. What comes out: documents, the best first. The invariant: ``retrieve`` of one query
and ``retrieve_batch`` of a list of one give the same documents.
"""

from __future__ import annotations

import asyncio
import functools
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from hayrick.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hayrick.filters import Filters
    from hayrick.schema import Document

P = ParamSpec("P")
R = TypeVar("R")

#: What a run gives a pipeline: the output, and the name of the edge it leaves by.
Output = tuple[dict[str, Any], str]
_EDGE = "output_1"


class BaseRetriever(ABC):
    """Base class of the retrievers.

    Attributes:
        query_count: How many queries ``run`` and ``run_batch`` have served.
        query_time: How many seconds they took.
    """

    query_count: int = 0
    query_time: float = 0.0

    @abstractmethod
    def retrieve(
        self,
        query: str,
        filters: Filters = None,
        top_k: int | None = None,
        index: str | None = None,
        headers: dict[str, str] | None = None,
        scale_score: bool | None = None,
    ) -> list[Document]:
        """The documents most relevant to a query, the best first.

        Args:
            query: The query.
            filters: Only documents that match.
            top_k: How many at most; the retriever's own where None.
            index: The index to search; the store's default where None.
            headers: HTTP headers, for stores that send requests.
            scale_score: Whether scores are scaled to [0, 1]; the retriever's own where None.
        """

    @abstractmethod
    def retrieve_batch(
        self,
        queries: list[str] | str,
        filters: Filters | Sequence[Filters] = None,
        top_k: int | None = None,
        index: str | None = None,
        headers: dict[str, str] | None = None,
        batch_size: int | None = None,
        scale_score: bool | None = None,
    ) -> list[Any]:
        """The documents most relevant to each of several queries.

        Args:
            queries: The queries.
            filters: One filter for all, or a list with one for each query (None among them means no filter).
            top_k: How many at most for each; the retriever's own where None.
            index: The index to search; the store's default where None.
            headers: HTTP headers, for stores that send requests.
            batch_size: How many queries are encoded at once, where a model encodes them.
            scale_score: Whether scores are scaled to [0, 1]; the retriever's own where None.

        Returns:
            One list of documents for each query; for one string, its list of documents.
        """

    async def retrieve_async(self, *args: Any, **kwargs: Any) -> list[Document]:
        """:meth:`retrieve` in a worker thread, awaited."""
        return await asyncio.to_thread(self.retrieve, *args, **kwargs)

    async def retrieve_batch_async(self, *args: Any, **kwargs: Any) -> list[Any]:
        """:meth:`retrieve_batch` in a worker thread, awaited."""
        return await asyncio.to_thread(self.retrieve_batch, *args, **kwargs)

    def run(
        self,
        root_node: str = "Query",
        query: str | None = None,
        filters: Filters = None,
        top_k: int | None = None,
        index: str | None = None,
        headers: dict[str, str] | None = None,
        scale_score: bool | None = None,
    ) -> Output:
        """Serve a query pipeline.

        Args:
            root_node: What the pipeline began with; "Query" is served here.
            query: The query; may be empty, may not be None.
            filters: See :meth:`retrieve`, as for the other arguments.

        Returns:
            ``{"documents": [...]}`` and the edge "output_1".

        Raises:
            QueryError: No query, or another root.
        """
        self._check_root(root_node)
        if query is None:
            raise QueryError(f"{type(self).__name__}.run needs a query; an empty one is allowed, None is not")
        retrieve = self.timing(self.retrieve, "query_time")
        self.query_count += 1
        return {"documents": retrieve(query, filters, top_k, index, headers, scale_score)}, _EDGE

    def run_batch(
        self,
        root_node: str = "Query",
        queries: list[str] | None = None,
        filters: Filters | Sequence[Filters] = None,
        top_k: int | None = None,
        index: str | None = None,
        headers: dict[str, str] | None = None,
        batch_size: int | None = None,
        scale_score: bool | None = None,
    ) -> Output:
        """Serve a query pipeline with several queries.

        Returns:
            ``{"documents": [[...], ...]}``, one list a query, and the edge "output_1".

        Raises:
            QueryError: No queries, or another root.
        """
        self._check_root(root_node)
        if queries is None:
            raise QueryError(f"{type(self).__name__}.run_batch needs a list of queries")
        retrieve = self.timing(self.retrieve_batch, "query_time")
        self.query_count += len(queries)
        return {"documents": retrieve(queries, filters, top_k, index, headers, batch_size, scale_score)}, _EDGE

    def timing(self, fn: Callable[P, R], attr_name: str) -> Callable[P, R]:
        """Wrap a function so that each call adds its seconds to the attribute ``attr_name`` of this retriever."""

        @functools.wraps(fn)
        def timed(*args: P.args, **kwargs: P.kwargs) -> R:
            start = time.perf_counter()
            try:
                return fn(*args, **kwargs)
            finally:
                setattr(self, attr_name, getattr(self, attr_name, 0.0) + time.perf_counter() - start)

        return timed

    def print_time(self) -> str:
        """How many queries were served, and how long one took on average, in words."""
        average = self.query_time / self.query_count if self.query_count else 0.0
        return f"{type(self).__name__}: {self.query_count} queries, {average * 1000:.2f} ms each"

    def _check_root(self, root_node: str) -> None:
        if root_node != "Query":
            raise QueryError(f"{type(self).__name__} serves queries, not a pipeline that begins with {root_node!r}")


def given(value: R | None, default: R) -> R:
    """A call's argument, or the retriever's own where the call leaves it open."""
    return default if value is None else value
