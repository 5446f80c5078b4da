"""The command ``hayrick``.

What goes in: arguments. What comes out: tables for people, or JSON with ``--json``, on standard output; progress and
errors on standard error. The invariant: exit code 0 means done and something found, 1 that nothing was found or a
fault was, 2 that the input was wrong; a command's module is loaded when it is asked for, so ``hayrick --help`` loads
no engine.
"""

from __future__ import annotations

import importlib
from typing import Final

import click

from hayrick import __version__
from hayrick.cli.output import Reporting

#: Command -> its one line of help; each is the function ``command`` of the module of that name.
_COMMANDS: Final = {
    "index": "Write files into a store.",
    "search": "Search a store, or list what a filter matches.",
    "answer": "Answer from a store's documents, with references.",
    "doctor": "Look at this installation, and at a store.",
    "demo": "Index Python's own documentation and search it.",
}


class _LazyGroup(Reporting, click.Group):
    """A group that loads a command when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"hayrick.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="hayrick")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.pass_context
def main(ctx: click.Context, *, debug: bool) -> None:
    """Haystack v1's stores, retrievers and answers in one process, with no server.

    Exit codes: 0 done; 1 nothing found, or a fault found; 2 wrong input.
    """
    ctx.obj = {"debug": debug}
