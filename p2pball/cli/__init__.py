"""The command line: flags to objects, errors to a sentence and an exit code."""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import NoReturn

import click

from p2pball import __version__
from p2pball.errors import P2PBallError

COMMANDS = {
    "play": "p2pball.cli.play",
    "host": "p2pball.cli.online",
    "join": "p2pball.cli.online",
    "resume": "p2pball.cli.resume",
    "games": "p2pball.cli.books",
    "stats": "p2pball.cli.books",
    "show": "p2pball.cli.show",
    "replay": "p2pball.cli.replay",
    "verify": "p2pball.cli.verify",
    "export": "p2pball.cli.export",
    "simulate": "p2pball.cli.simulate",
    "odds": "p2pball.cli.odds",
    "doctor": "p2pball.cli.doctor",
}
"""Each command and the module that holds it, imported only when the command is run."""


class Lazy(click.Group):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order of the README."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of a name, its module imported now."""
        if name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(COMMANDS[name]), name)
        assert isinstance(command, click.Command)
        return command


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
        click.echo(f"p2pball: {error}", err=True)
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
