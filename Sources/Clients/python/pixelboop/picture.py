"""The picture of the grid."""

from __future__ import annotations

from collections.abc import Sequence


class Picture:
    """44 x 24 cells, each 0xRRGGBB, row by row."""

    columns = 44
    rows = 24

    def __init__(self, sequence: int, cells: Sequence[int]) -> None:
        self.sequence = sequence
        self.cells = list(cells)

    def __getitem__(self, place: tuple[int, int]) -> int:
        """The colour of the cell in a column and a row."""
        column, row = place
        return self.cells[row * self.columns + column]

    def apply(self, sequence: int, base: int, cells: Sequence[int]) -> None:
        """Changes the cells that a `frame` notification names, each index followed by its colour."""
        if base != self.sequence:
            raise ValueError(f"the changes are based on picture {base}, but this is {self.sequence}")
        for index, colour in zip(cells[::2], cells[1::2]):
            self.cells[index] = colour
        self.sequence = sequence
