"""Rich's console for text that is not ours: no markup is read in it, and control characters are shown as escapes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any, TextIO, cast

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from verifier.running.printable import visible
from verifier.show.streams import Styled


class StyledConsole(Console):
    """A console that writes no escape sequences except those of its styles."""

    def __init__(self, stream: TextIO, **options: Any) -> None:
        super().__init__(file=cast(IO[str], Styled(stream)), highlight=False, markup=False, emoji=False, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render pieces of text with control characters as escapes."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)
