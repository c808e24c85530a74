"""The command line: flags to objects, errors to a sentence and an exit code."""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from p2pball import __version__
from p2pball.errors import P2PBallError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "play": ("play", "Play against the computer, or two people at one keyboard."),
    "host": ("online", "Open a room, and play whoever joins with its code."),
    "join": ("online", "Join the game of a code that your host has told you."),
    "resume": ("resume", "Go on with a game that was cut."),
    "games": ("books", "List finished and open games."),
    "stats": ("books", "Standings, streaks, batting and pitching lines."),
    "show": ("show", "A game on paper: line score, box score, play by play."),
    "replay": ("replay", "Watch a game again."),
    "verify": ("verify", "Judge a record: is it whole, and did both play fair?"),
    "export": ("export", "A game for other programs: Retrosheet or JSON."),
    "simulate": ("simulate", "Computer against computer, many games on every core."),
    "odds": ("odds", "The odds of both games, or what a position is worth."),
    "doctor": ("doctor", "What works from here, and what to do about the rest."),
}
"""Each command's module, imported only when the command is run, and what the help of the program says of it."""


class Lazy(click.Group):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order of the README."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of a name, its module imported now."""
        if name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"p2pball.cli.{COMMANDS[name][0]}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, none of them imported."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command, none of them imported."""
        from click.shell_completion import CompletionItem

        fits = [CompletionItem(name, help=said) for name, (_, said) in COMMANDS.items() if name.startswith(incomplete)]
        return fits + click.Command.shell_complete(self, ctx, incomplete)


@click.group(cls=Lazy, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="p2pball")
@click.option("--debug", is_flag=True, help="Show the traceback of an error; works anywhere on the line.")
@click.pass_context
def cli(ctx: click.Context, debug: bool) -> int | None:
    """Two-player baseball in the terminal: peer to peer, no game server, provably fair.

    Without a command, on a terminal, the title screen opens.
    """
    if ctx.invoked_subcommand is not None:
        return None
    from p2pball.cli.run import Mode, mode, open_title

    if mode(plain=False, as_json=False) is Mode.FULL:
        return open_title()
    click.echo(ctx.get_help())
    return 0


def main() -> NoReturn:
    """Run a command; every error becomes a sentence on stderr and an exit code (experience.md)."""
    debug = "--debug" in sys.argv
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name that the stream cannot spell is no reason to stop
    try:
        arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
        result = cli.main(arguments, prog_name="p2pball", standalone_mode=False)
        sys.stdout.flush()  # a reader that has gone is noticed here and not at exit
        sys.exit(result if isinstance(result, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader has gone; keep the interpreter from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except P2PBallError as error:
        if debug:
            raise
        from p2pball.ui.lines import folded  # late: most commands need it never

        click.echo(folded(f"p2pball: {error}", sys.stderr), err=True)
        sys.exit(getattr(error, "exit_code", 1))
    except Exception as error:  # whatever else happens, no traceback reaches a player
        if debug:
            raise
        click.echo(
            f"p2pball: something went wrong inside: {type(error).__name__}: {error}. "
            "Your games are safe on disk; run the same command with `p2pball --debug ...` to see where.",
            err=True,
        )
        sys.exit(1)
