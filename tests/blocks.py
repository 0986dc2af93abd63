"""Helpers that look into a page of the records, as blocks or as the JSON sent to a phone."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any


def all_texts(page: Any) -> list[str]:
    """Every text in a page, or in part of one, in order."""
    if isinstance(page, str):
        return [page]
    if is_dataclass(page):
        return [text for field in fields(page) for text in all_texts(getattr(page, field.name))]
    return [text for each in page for text in all_texts(each)] if isinstance(page, tuple) else []


def each_block(blocks: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All blocks of a page sent to a phone, including those in sections."""
    for block in blocks:
        yield block
        yield from each_block(block.get("blocks", []))


def of_kind(page: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The blocks of this kind."""
    return [block for block in each_block(page["blocks"]) if block["is"] == kind]


def texts_of(page: dict[str, Any]) -> list[str]:
    return [block["text"] for block in of_kind(page, "text")]


def titles_of(page: dict[str, Any]) -> list[str]:
    return [block["title"] for block in of_kind(page, "section")]


def rows_of(page: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for block in of_kind(page, "rows") if not block.get("tiles") for row in block["rows"]]
