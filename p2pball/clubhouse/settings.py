"""The player's settings: flags over P2PBALL_* variables over the file config.toml, and the name kept once asked."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping
from pathlib import Path

from p2pball.clubhouse.disk import explained, read_file, write_file
from p2pball.clubhouse.errors import BadSettings
from p2pball.clubhouse.home import config_dir, data_dir
from p2pball.frozen import frozen

_FILE = "config.toml"
_NAME = "name"
_PREFIX = "P2PBALL_"
_MAX_SETTINGS = 64 * 1024
_MAX_NAME_BYTES = 256
_TRUE, _FALSE = ("1", "yes", "true", "on"), ("", "0", "no", "false", "off")


@frozen
class Settings:
    """What may be set, and what holds when nothing is; each field is a key of the file and, with P2PBALL_ before
    it in capitals, a variable.
    """

    name: str = ""
    """The player's name; empty until it is known."""
    team: str = ""
    """Path of a team file; empty for the team that comes with the seat."""
    relay: str = ""
    stun: str = ""
    """URL of an own STUN server, as stun:host:port."""
    turn: str = ""
    """URL of an own TURN server, as turn:host:port?transport=udp."""
    turn_user: str = ""
    turn_password: str = ""
    turn_only: bool = False
    """Hide the own addresses from the other player."""
    level: str = ""
    """The computer's level when none is asked for."""
    theme: str = ""
    ascii: bool = False
    animation: bool = True


def load(**flags: str | bool | None) -> Settings:
    """The settings that hold now; a flag that is None was not given. Raises BadSettings or DiskError."""
    values: dict[str, str | bool] = {}
    if name := _kept_name():
        values["name"] = name
    values |= _from_file(settings_file())
    values |= _from_environment(os.environ)
    values |= {key: value for key, value in flags.items() if value is not None}
    return Settings(**values)  # type: ignore[arg-type]  # each source checks its own types


def settings_file() -> Path:
    """Where the settings file stands, or would."""
    return config_dir() / _FILE


def save_name(name: str) -> None:
    """Keep the player's name for the games to come; raises DiskError."""
    path = data_dir() / _NAME
    with explained("keep your name", path):
        write_file(path, f"{name}\n".encode())


def save(**changes: str | bool) -> None:
    """Keep settings in the file, whatever else stands there left as it is; raises BadSettings or DiskError."""
    import tomllib

    path = settings_file()
    wanted = _from_file(path) | changes
    with explained("keep the settings", path):
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for key, value in changes.items():
        line = f"{key} = {json.dumps(value, ensure_ascii=False)}"  # a JSON text or truth is one of TOML too
        at = next((n for n, text in enumerate(lines) if text.partition("=")[0].strip() == key), len(lines))
        lines[at : at + 1] = [line]
    data = "".join(f"{line}\n" for line in lines).encode()
    try:
        changed = tomllib.loads(data.decode()) == wanted
    except tomllib.TOMLDecodeError:  # a key in quotes, say, that now stands there twice
        changed = False
    if not changed:
        raise BadSettings(f"{path} is written in a way that cannot be changed here. Change it with an editor.")
    with explained("keep the settings", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, data)


def _kept_name() -> str:
    path = data_dir() / _NAME
    with explained("read your name", path):
        if not path.exists():
            return ""
        return read_file(path, _MAX_NAME_BYTES).decode(errors="replace").strip()


def _kinds() -> dict[str, type]:
    return {field.name: type(field.default) for field in dataclasses.fields(Settings)}


def _from_file(path: Path) -> dict[str, str | bool]:
    with explained("read the settings", path):
        if not path.exists():
            return {}
        data = read_file(path, _MAX_SETTINGS)
    import tomllib  # late: most players have no such file

    try:
        values = tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadSettings(f"Line {line} of {path} is not UTF-8. Save the file as UTF-8.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadSettings(f"The settings in {path} are not valid TOML: {error}. Mend that line.") from None
    kinds = _kinds()
    for key, value in values.items():
        if key not in kinds:
            import difflib

            close = difflib.get_close_matches(key, kinds, n=1)
            hint = f"Did you mean {close[0]}?" if close else f"There are {', '.join(kinds)}."
            raise BadSettings(f"{path} sets {key!r}, which nobody knows. {hint}")
        if type(value) is not kinds[key]:
            wanted = "true or false" if kinds[key] is bool else "a text in quotes"
            raise BadSettings(f"In {path}, {key} must be {wanted}, not {value!r}.")
    return values


def _from_environment(environment: Mapping[str, str]) -> dict[str, str | bool]:
    values: dict[str, str | bool] = {}
    for key, kind in _kinds().items():
        variable = _PREFIX + key.upper()
        value = environment.get(variable)
        if value is None:
            continue
        if kind is str:
            values[key] = value
        elif value.lower() in _TRUE + _FALSE:
            values[key] = value.lower() in _TRUE
        else:
            raise BadSettings(f"{variable} must be 1 or 0, not {value!r}.")
    return values
