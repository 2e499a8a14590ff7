#!/usr/bin/env python3
"""Replace the surcharges of the current rate card by the carrier's file.

Usage: import_rates.py surcharges.csv

The file is taken as a whole or not at all. Exit codes: 0 done, 1 rejected, 2 database not reachable.
"""

import csv
import sys
from dataclasses import dataclass
from datetime import date

import psycopg

COLUMNS = ["code", "kind", "value", "service", "valid_from", "note"]


@dataclass(frozen=True)
class Row:
    code: str
    kind: str
    value: int
    service: str | None
    valid_from: date


class Rejected(Exception):
    """A row that does not fit; the message names row and column."""


def parse(path: str) -> list[Row]:
    rows: list[Row] = []
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != COLUMNS:
            raise Rejected(f"row 1: expected the columns {', '.join(COLUMNS)}")
        for number, record in enumerate(reader, start=2):
            if record["kind"] not in ("percent", "fixed"):
                raise Rejected(f"row {number}, kind: {record['kind']!r}")
            try:
                value = round(float(record["value"]) * 10)
                valid_from = date.fromisoformat(record["valid_from"])
            except ValueError as error:
                raise Rejected(f"row {number}: {error}") from error
            rows.append(Row(record["code"], record["kind"], value, record["service"] or None, valid_from))
    codes = [row.code for row in rows]
    if len(codes) != len(set(codes)):
        raise Rejected("a code appears twice")
    return rows


def replace(connection: psycopg.Connection, rows: list[Row]) -> None:
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute("SELECT id FROM rates.rate_cards WHERE current FOR UPDATE")
        card = cursor.fetchone()[0]
        cursor.execute("DELETE FROM rates.surcharges WHERE rate_card_id = %s", (card,))
        cursor.executemany(
            """
            INSERT INTO rates.surcharges (rate_card_id, code, kind, value, service, valid_from)
            VALUES (%s, %s, %s, %s, %s, %s)
            """,
            [(card, r.code, r.kind, r.value, r.service, r.valid_from) for r in rows],
        )
        cursor.execute("INSERT INTO rates.imports (rows, status) VALUES (%s, 'done')", (len(rows),))
        cursor.execute("NOTIFY rates_changed")


def main() -> int:
    try:
        rows = parse(sys.argv[1])
        with psycopg.connect() as connection:
            replace(connection, rows)
    except Rejected as reason:
        print(f"rejected: {reason}", file=sys.stderr)
        return 1
    except psycopg.OperationalError as error:
        print(f"database: {error}", file=sys.stderr)
        return 2
    print(f"{len(rows)} surcharges imported")
    return 0


if __name__ == "__main__":
    sys.exit(main())
