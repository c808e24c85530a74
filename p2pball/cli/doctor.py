"""`p2pball doctor`: what works from here, and what to do about the rest."""

from __future__ import annotations

import asyncio
import sys

import click

from p2pball.cli.options import NetworkFlags, network_options
from p2pball.clubhouse.errors import DiskError
from p2pball.net.addresses import relay_url
from p2pball.net.doctor import Finding, Health, examine
from p2pball.ui.checkup import folders, terminal
from p2pball.ui.lines import folded
from p2pball.ui.places import Where

MARKS = {Health.GOOD: "ok", Health.LIMITED: "so-so", Health.BAD: "BAD", Health.UNKNOWN: "?"}


@click.command()
@network_options
def doctor(network: NetworkFlags) -> int:
    """Try out terminal, folders, relay, STUN, TURN, NAT and clock, and say what to do about each."""
    findings = [*terminal(), *folders()]
    for finding in findings:
        _show(finding)
    try:
        where = Where.of(network.settings())
    except DiskError:  # the folders have been found wanting above
        where = Where(network.relay or "")
    url = relay_url(where.relay) if where.relay else None

    async def look() -> None:
        async for finding in examine(url, where.network):
            _show(finding)
            findings.append(finding)

    asyncio.run(look())
    return int(any(finding.health is Health.BAD for finding in findings))


def _show(finding: Finding) -> None:
    click.echo(folded(f"{MARKS[finding.health]:>5}  {finding.what:<13}  {finding.seen}", sys.stdout, 22))
    if finding.advice:
        click.echo(folded(f"{'':22}-> {finding.advice}", sys.stdout, 25))
