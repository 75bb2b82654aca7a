"""Mathematics in a sentence: the parser finds ``2^(h-1) - 1``, ``Q_(p,s)``, ``e^<Q,K>``, ``n >= 4p``; the rest is text.

Authors need not mark it. Text between backticks, and names of several letters, stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from verifier.show.notation.marks import GREEK, SIGNS, Bracketed, Notation, Root, Run, Script, Word, name, operator, product, run

NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+(?:e[+-]\d+)?)?(?![\d%])")
LETTER = re.compile(r"[A-Za-z](?:'{1,2}(?![A-Za-z0-9']))?(?![A-Za-z'’])")
ALONE = re.compile(r"[b-z](?:'{1,2})?(?=[\s,;:?!)]|\.(?:\s|$)|$)")
"""A small letter other than a, alone between spaces: a variable."""
CAPITALS = re.compile(r"[A-Z]{2,4}(?=[_^])")
DIFFERENTIAL = re.compile(r"d[A-Z](?![A-Za-z'’])")
"""A d before a capital, an error or a differential: ``dW_k``."""
FACTOR = re.compile(r" [B-HJ-Z](?![\w'’-])")
"""A capital alone, the last factor of a product such as ``A X``; not A or I, which are words."""
WORD = re.compile(r"[A-Z][a-z]{2,}(?![\w(-])")
GREEKS = re.compile(rf"(?:{'|'.join(sorted(GREEK, key=len, reverse=True))})(?![A-Za-z-])")
FUNCTION = re.compile(r"(?:ceil|floor|sqrt|exp|log2|log|ln|max|min|sum|gcd)(?=[(_])")
OPERATOR = re.compile(r"<=|>=|!=|==|->|\.\.\.|\.\.|\*\^|/\^|\+-|[-+*/=<>·×≤≥≠−]")
SCRIPT = re.compile(r"\^|\*\*|_")
ALONE_SIGN = re.compile(r"(?:(?<= )|^)(?:<=|>=|!=|\*\^|/\^)(?= |$)")
BELOW = re.compile(r"-?[A-Za-z0-9]+'*")
ABOVE = re.compile(r"-?(?:\d+\.\d+|[A-Za-z0-9]+(?:_[A-Za-z0-9]+)?'*)")
PAIRS = {"(": ")", "{": "}", "<": ">", "[": "]"}


def text_signs(piece: str) -> str:
    """Replace signs between spaces in a text, as in ``|x| <= 1``, except between backticks."""
    parts = piece.split("`")
    return "`".join(part if k % 2 and k + 1 < len(parts) else ALONE_SIGN.sub(lambda m: SIGNS[m[0]], part) for k, part in enumerate(parts))


@lru_cache(maxsize=4096)
def pieces(text: str) -> tuple[str | Notation, ...]:
    """Split a sentence into texts and mathematics, in their order."""
    return tuple(_Reader(text).read())


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.telling = False

    def read(self) -> Iterator[str | Notation]:
        at = begun = 0
        while at < len(self.text):
            if self.text[at] == "`":
                at = self.text.find("`", at + 1) + 1 or len(self.text)
                continue
            if at and (self.text[at - 1].isalnum() or self.text[at - 1] in "-_^./:#"):
                at += 1
                continue
            self.telling = False
            found = self._run(at)
            if found is None or not self.telling:
                at += 1
                continue
            if begun < at:
                yield self.text[begun:at]
            yield found[0]
            at = begun = found[1]
        if begun < len(self.text):
            yield self.text[begun:]

    def _run(self, at: int) -> tuple[Notation, int] | None:
        """Read atoms that are joined by operators."""
        first = self._signed(at)
        if first is None:
            return None
        parts, end = [first[0]], first[1]
        while True:
            while FACTOR.match(self.text, end) and _may_be_multiplied(parts[-1]):
                found = self._atom(end + 1)
                if found is None or not self._ends(found[1]):
                    break
                parts[-1], end, self.telling = run([parts[-1], Word("text", " "), found[0]]), found[1], True
            gap = self._space(end)
            sign = OPERATOR.match(self.text, gap)
            if sign is None:
                break
            spaced, after = gap > end, self._space(sign.end())
            if spaced != (after > sign.end()) or (sign[0] in "<>" and not spaced):
                break
            following = self._signed(after) or (self._word(after) if sign[0] == "*" else None)
            if following is None:
                break
            self.telling |= sign[0] != "/" or spaced
            if sign[0] == "*":
                parts.append(product(parts.pop(), following[0]))
            else:
                parts += [operator(sign[0]), following[0]]
            end = following[1]
        return run(parts), end

    def _word(self, at: int) -> tuple[Notation, int] | None:
        """The name of a function that is multiplied: ``5s*Hardtanh``."""
        match = WORD.match(self.text, at)
        return (Word("text", match[0]), match.end()) if match else None

    def _space(self, at: int) -> int:
        return at + 1 if self.text[at : at + 1] == " " else at

    def _signed(self, at: int) -> tuple[Notation, int] | None:
        sign = "+-" if self.text.startswith("+-", at) else self.text[at : at + 1]
        if sign in ("-", "−", "+-"):
            found = self._term(at + len(sign))
            if found is None:
                return None
            self.telling = True
            return run([operator(sign), found[0]]), found[1]
        return self._term(at)

    def _term(self, at: int) -> tuple[Notation, int] | None:
        """A product without a sign: ``2p``, ``3(h-1)``."""
        found = self._atom(at)
        if found is None:
            return None
        parts, end = [found[0]], found[1]
        if isinstance(parts[0], Word) and parts[0].kind == "number":
            following = self._atom(end) if self.text[end : end + 1].isalpha() or self.text[end : end + 1] == "(" else None
            if self.text[end : end + 1].isalpha() and following is None:
                return None
            if following is not None:
                self.telling = True
                parts, end = [*parts, following[0]], following[1]
        return (run(parts), end) if self._ends(end) else None

    def _ends(self, at: int) -> bool:
        """Whether a term may end here: before no letter, script, index or hyphenated word."""
        following, after = self.text[at : at + 1], self.text[at + 1 : at + 2]
        hyphen = following == "-" and after.isalpha() and LETTER.match(self.text, at + 1) is None
        return not (following.isalnum() or (following and following in "_^`[") or hyphen)

    def _atom(self, at: int) -> tuple[Notation, int] | None:
        text = self.text
        base: Notation
        if text[at : at + 1] in ("(", "<"):
            found = self._bracketed(at)
            if found is None:
                return None
            base, end = found
        elif match := NUMBER.match(text, at):
            base, end = Word("number", match[0]), match.end()
        elif match := FUNCTION.match(text, at):
            base, end = Word("operator", "∑") if match[0] == "sum" else Word("text", match[0]), match.end()
            if text[end] == "(":
                found = self._bracketed(end)
                if found is None:
                    return None
                self.telling = True
                return (_function(match[0], found[0]), found[1]) if match[0] != "sum" else None
        elif match := GREEKS.match(text, at) or CAPITALS.match(text, at) or DIFFERENTIAL.match(text, at):
            base, end = name(match[0]), match.end()
            self.telling |= match[0] in GREEK or match.re is DIFFERENTIAL
        elif (match := LETTER.match(text, at)) and text[at - 1 : at] != "'":
            base, end = Word("name", match[0].replace("'", "′")), match.end()
            self.telling |= ALONE.match(text, at) is not None
        else:
            return None
        return self._scripted(base, end)

    def _scripted(self, base: Notation, end: int) -> tuple[Notation, int] | None:
        scripts: dict[str, Notation] = {}
        while match := SCRIPT.match(self.text, end):
            sign = "_" if match[0] == "_" else "^"
            found = None if sign in scripts else self._script(match.end(), ABOVE if sign == "^" else BELOW)
            if found is None:
                break
            scripts[sign], end = found
            self.telling = True
        return (Script(base, scripts.get("_"), scripts.get("^")), end) if scripts else (base, end)

    def _script(self, at: int, alone: re.Pattern[str]) -> tuple[Notation, int] | None:
        opening = self.text[at : at + 1]
        signed = opening == "-" and self.text[at + 1 : at + 2] == "("
        if signed:
            at, opening = at + 1, "("
        if opening and opening in PAIRS:
            end = self._closing(at)
            if end is None:
                return None
            inside = self.text[at + 1 : end]
            made = whole(inside)
            if opening == "<":
                made = Bracketed("⟨", (made,), "⟩")
            if signed:
                made = run([operator("-"), Bracketed("(", (made,), ")")])
            return made, end + 1
        match = alone.match(self.text, at)
        return (whole(match[0]), match.end()) if match else None

    def _closing(self, at: int) -> int | None:
        opens, closes, depth = self.text[at], PAIRS[self.text[at]], 0
        for k in range(at, len(self.text)):
            depth += (self.text[k] == opens) - (self.text[k] == closes)
            if depth == 0:
                return k
        return None

    def _bracketed(self, at: int) -> tuple[Notation, int] | None:
        end = self._closing(at)
        if end is None or (self.text[at] == "<" and not re.fullmatch(r"<[A-Za-z]\w*, ?[A-Za-z]\w*>", self.text[at : end + 1])):
            return None
        parts = []
        for text in re.split(r", ?", self.text[at + 1 : end]):
            reader = _Reader(text)
            found = reader._run(0)
            if found is None or found[1] != len(text):
                return None
            self.telling |= reader.telling
            parts.append(found[0])
        opens, closes = ("⟨", "⟩") if self.text[at] == "<" else ("(", ")")
        self.telling |= opens == "⟨"
        return Bracketed(opens, tuple(parts), closes), end + 1


def _may_be_multiplied(left: Notation) -> bool:
    """Whether a capital may multiply this: a capital, a product, or a part with a script."""
    match left:
        case Word("name", text):
            return text.isupper()
        case Run(parts):
            return _may_be_multiplied(parts[-1])
        case _:
            return isinstance(left, Script)


def _function(word: str, arguments: Notation) -> Notation:
    inside = arguments.parts if isinstance(arguments, Bracketed) else (arguments,)
    if word == "sqrt":
        return Root(inside[0])
    if word in ("ceil", "floor"):
        return Bracketed("⌈" if word == "ceil" else "⌊", inside, "⌉" if word == "ceil" else "⌋")
    head: Notation = Script(Word("text", "log"), Word("number", "2")) if word == "log2" else Word("text", word)
    return run([head, arguments])


def whole(text: str) -> Notation:
    """A text that is mathematics from one end to the other, or a word."""
    parts: list[Notation] = []
    for part in re.split(r"(, ?)", text):
        reader = _Reader(part)
        found = reader._run(0)
        if found is not None and found[1] == len(part):
            parts.append(found[0])
        elif part:
            parts.append(Word("text" if part.strip(", ") else "operator", SIGNS.get(part, part).strip() or part))
    return run(parts) if parts else Word("text", text)
