"""The trained tables as the JSON file that the package ships."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from tools.cards.table import Table

TABLE = Path(__file__).resolve().parent.parent.parent / "p2pball" / "computer" / "data" / "cards.json"
FUTURE_UNIT = 1000
"""Hands' worths are written in this many parts of a stake."""


def dump(tables: dict[str, Table], facts: dict[str, Any]) -> str:
    """The tables by the kind of opponent that they are for."""
    whole = {**facts, **{name: _table(table) for name, table in tables.items()}}
    return json.dumps(whole, separators=(",", ":")) + "\n"


def _table(table: Table) -> dict[str, Any]:
    parts = [table.futures[k].ravel() for k in range(1, 6)]
    whole = np.clip(np.round(np.concatenate(parts) * FUTURE_UNIT), -32768, 32767).astype("<i2")
    planes = whole.view(np.uint8).reshape(-1, 2).T.tobytes()
    return {
        "futures": base64.b64encode(zlib.compress(planes, 9)).decode(),
        "ends": _rounded(table.counts.ends),
        "runs": _rounded(table.runs),
        "share": _rounded(table.share),
    }


def _rounded(array: np.ndarray) -> Any:
    return np.round(array, 4).tolist()
