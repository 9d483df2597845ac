"""The opening book as tables, as a report, and as files."""

from __future__ import annotations

from pathlib import Path

from gridwise.lab.report.document import CommandLine, Heading, Paragraph, Part, Picture, Table
from gridwise.lab.report.row_files import write_rows
from gridwise.lab.statistics import Estimate
from gridwise.lab.store import ResultStore
from gridwise.lab.study.report import NONE, intervals_picture, write_parts
from gridwise.lab.study.variant import Variant
from research.openings.book import (
    BRIEF_NODES,
    SEARCH_ERROR,
    THOROUGH,
    THOROUGH_NODES,
    OpeningBook,
    opening_rows,
)

PICTURE = "openings.svg"


def opening_tables(book: OpeningBook) -> tuple[Table, Table, Table]:
    """The kinds of claims, the differences between neighbours, the replies."""
    values = [
        [
            each.name,
            str(each.cells),
            f"{each.win:.2%} ± {2 * each.error:.2%}",
            f"{each.bias:+.2%}",
        ]
        for each in book.openings
    ]
    pairs = [
        [
            f"{one} over {two}",
            f"{difference:+.2%} ± {2 * error:.2%}",
            "yes" if book.apart(one, two) else "no",
        ]
        for (one, two), (difference, error) in book.differences.items()
    ]
    kinds = sorted({kind for each in book.openings for kind in each.replies}, reverse=True)
    replies = [
        [
            f"after {each.name}",
            *(
                f"{each.replies[kind][0]:.0%}, -{each.replies[kind][1]:.1%}"
                if kind in each.replies
                else NONE
                for kind in kinds
            ),
        ]
        for each in book.openings
    ]
    return (
        Table(["first claim", "cells", "wins (± 2 standard errors)", "correction"], values),
        Table(["difference", "± 2 standard errors", "told apart"], pairs),
        Table(["reply", *(k if k == "face down" else f"a {k}" for k in kinds)], replies),
    )


def opening_picture(book: OpeningBook) -> dict[str, bytes]:
    """The values of the kinds as a picture, by the name of its file."""
    names = [each.name for each in book.openings]
    values: list[Estimate | None] = [
        Estimate(each.win, each.win - 2 * each.error, each.win + 2 * each.error)
        for each in book.openings
    ]
    return {
        PICTURE: intervals_picture(names, {"": values}, "probability that the first player wins")
    }


def opening_report(variant: Variant, book: OpeningBook, command: str) -> list[Part]:
    """The book as a report."""
    values, pairs, replies = opening_tables(book)
    same = sum(not book.apart(*names) for names in book.differences)
    verdict = (
        "All kinds can be told apart."
        if not same
        else f"Of {len(book.differences)} pairs of kinds, {same} cannot be told apart: they differ "
        f"by less than two standard errors and {SEARCH_ERROR:.1%}, what a longer search may change."
    )
    return [
        Heading(1, f"{variant.played.title}: opening book"),
        Paragraph("Made by this command. It makes the same page on every machine."),
        CommandLine(command),
        Heading(2, "First claims"),
        Paragraph(
            "The probability that the first player wins after claiming a cell of this kind, if "
            "both play perfectly from there on. Cells that are mirror images of each other are one "
            "kind."
        ),
        values,
        Picture(PICTURE, "What each kind of first claim is worth, with two standard errors"),
        Paragraph(
            f"From {book.deals:,} deals, the same for all kinds. The correction is what searches "
            f"of {THOROUGH_NODES:,} simulations found to be different from those of "
            f"{BRIEF_NODES:,}, on one deal in {THOROUGH}. What a still longer search would change "
            "is not in the error: it may raise all values by some tenths of a percent."
        ),
        Heading(2, "Which can be told apart"),
        Paragraph(verdict),
        pairs,
        Heading(2, "Replies"),
        Paragraph(
            "For each kind of reply, where there is one: how often it is the best one, and how "
            "much winning probability it costs on average. A number is a cell that lies open."
        ),
        replies,
        Paragraph("rows.parquet has the value of each claim in each deal, and the best reply."),
    ]


def write_book(
    folder: Path, variant: Variant, book: OpeningBook, seed: int, command: str, results: ResultStore
) -> None:
    """Write the report of an opening book, its picture and rows.parquet."""
    write_parts(folder, opening_report(variant, book, command), opening_picture(book))
    write_rows(folder / "rows.parquet", opening_rows(variant, seed, book.deals, results))
