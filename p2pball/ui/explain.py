"""How every roll, deal and outcome of a record came about, so that a reader can follow any of them by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from p2pball.engine.events import Event
from p2pball.engine.ledger import apply
from p2pball.engine.moves import choice_from_json
from p2pball.engine.state import State
from p2pball.game import SEATS, Game
from p2pball.protocol.books import Books, Cheat
from p2pball.protocol.deals import Hand, deal_commitment
from p2pball.protocol.encoding import M, canonical
from p2pball.protocol.messages import Malformed, Message, parse_frame
from p2pball.protocol.streams import BYTE_VALUES, RoundDice
from p2pball.protocol.values import round_seed
from p2pball.scorebook.phrases import card_words, ordinal
from p2pball.scorebook.words import tell
from p2pball.ui.book import Book
from p2pball.verify import split, torn

FORMULAS = """\
How to follow a roll by hand (docs/fair-play.md has the whole of it)
  enc(label, f, ...)   "p2pball/1/" + label and every field, each behind its length in four bytes, big-endian;
                       numbers are eight bytes big-endian, words UTF-8, what stands in hex below is raw bytes
  H(label, ...)        SHA-256 of enc(label, ...)
  M(key, label, ...)   HMAC-SHA256 by key of enc(label, ...)
  seed                 H("round-seed", game, round, chain, both commitments, both nonces), the host's first
  key of a purpose     M(seed, "stream-key", purpose); its bytes are M(key, "stream", 0), M(key, "stream", 1), ...
  a number below n     the next byte v under (256 // n) * n; a byte from there on is skipped; the number is v mod n
  a die                a number below 6, plus 1
  chain after a round  H("round", chain, round, both commitments, both nonces, both actions, position)
  chain after a move   H("move", chain, seat, move, position)"""


@dataclass
class _Watched:
    """A round's dice that note what was asked of them."""

    dice: RoundDice
    asked: list[tuple[str, int, int]] = field(default_factory=list)

    def below(self, purpose: str, n: int) -> int:
        value = self.dice.below(purpose, n)
        self.asked.append((purpose, n, value))
        return value


@dataclass(frozen=True)
class _Before:
    """What a line's explanation needs of the time before the line was read."""

    state: State
    chain: bytes
    round: int
    hand: Hand | None

    @classmethod
    def of(cls, game: Game, seat: str) -> _Before:
        books = game.exchange
        return cls(game.state, books.chain, books.round, books.sides[seat].hand)


def explain(record: bytes) -> Iterator[str]:
    """The lines of text that follow a record message by message, up to the line that decides its verdict."""
    game = Game()
    book = Book(game)
    yield from FORMULAS.splitlines()
    lines, rest = split(record)
    if rest and not torn(rest):
        lines.append(rest)
    for number, line in enumerate(lines, start=1):
        try:
            message = parse_frame(line)
            if not isinstance(message, Message):
                return
            before = _Before.of(game, message.seat)
            transition = game.accept(message)
        except (Malformed, Cheat):
            return  # the verdict names this line
        yield from _message(game, before, number, message)
        if transition is not None:
            if message.type == "reveal":
                yield from _round(game.exchange, before, transition.events)
            for moment in book.add(transition.events):
                if told := tell(moment):
                    yield f"    = {told}"
            yield f"    position  {game.position}"
            yield f"    chain     {game.exchange.chain.hex()}"


def _message(game: Game, before: _Before, number: int, message: Message) -> Iterator[str]:
    """One line of the record: what was said, and what it opens."""
    head = f"line {number}, {message.seat} {message.seq}: {message.type}"
    body, books = message.body, game.exchange
    match message.type:
        case "hello":
            yield ""
            yield f"{head}, key {body['key']}"
            if books.begun:
                yield f"    game      {books.game.hex()}, from the SHA-256 of both hellos"
                yield f"    chain     {books.chain.hex()}"
        case "move":
            yield ""
            yield f"{head} {canonical(body['move'])}, openly"
        case "commit":
            yield ""
            yield f"{head} of round {body['round']}: {body['commitment']}"
            if body["deal"]:
                yield f"    deal      {body['deal']} binds the secret of this seat's next hand"
        case "reveal":
            yield ""
            yield f"{head} of round {body['round']}: {canonical(body['action'])}, nonce {body['nonce']}"
            commit = books.sides[message.seat].commits[body["round"]]
            yield f"    opens     {commit.body['commitment']}"
            yield f'              = M(nonce, "commit", game, {body["round"]}, {message.seat}, chain, action)'
            yield from _audit(before.hand, body["hand_secret"])
        case "final":
            yield ""
            yield f"{head} {canonical(body['result'])}"
            yield from _audit(before.hand, body["hand_secret"])
        case _:
            yield ""
            yield head


def _audit(hand: Hand | None, secret_hex: str) -> Iterator[str]:
    """How an opened hand secret deals the hand (fair-play 5)."""
    if not secret_hex or hand is None:
        return
    secret = bytes.fromhex(secret_hex)
    seed = M(secret, "deal", hand.game, hand.seat, hand.number, hand.nonce)
    committed = deal_commitment(secret, hand.game, hand.seat, hand.number)
    yield f"    hand {hand.number}    secret s {secret_hex}"
    yield f'    bound by  {committed.hex()} = M(s, "deal-commit", game, {hand.seat}, {hand.number})'
    yield f"    dealt by  the other seat's nonce {hand.nonce.hex()}"
    yield f'    seed D    {seed.hex()} = M(s, "deal", game, {hand.seat}, {hand.number}, that nonce)'
    yield f'    key       {M(seed, "stream-key", "shuffle").hex()} of purpose "shuffle"'
    yield f"    deck      {' '.join(hand.remaining)}"
    yield "    shuffled  for i from the last place down to 1: swap card i and card (number below i + 1)"
    yield f"    first six {' '.join(hand.cards(secret))}"


def _round(books: Books, before: _Before, events: tuple[Event, ...]) -> Iterator[str]:
    """The seed of a completed round, and every number that was drawn from it."""
    number = before.round
    commits = [books.sides[seat].commits[number].body["commitment"] for seat in ("host", "guest")]
    reveals = [message.body for message in books.settled_by]
    nonces = [reveal["nonce"] for reveal in reveals]
    seed = round_seed(books.game, number, before.chain, _pair(commits), _pair(nonces))
    choices = {SEATS[seat]: choice_from_json(reveal["action"]) for seat, reveal in zip(SEATS, reveals, strict=True)}
    dice = _Watched(RoundDice(seed))
    assert apply(before.state, choices, dice).events == events
    yield ""
    yield f"round {number} is complete"
    yield f"    seed      {seed.hex()}"
    yield f'              = H("round-seed", game, {number}, chain {before.chain.hex()},'
    yield f"                commitments {commits[0]} {commits[1]},"
    yield f"                nonces {nonces[0]} {nonces[1]})"
    for purpose in dict.fromkeys(purpose for purpose, _, _ in dice.asked):
        yield from _stream(seed, purpose, [(n, value) for asked, n, value in dice.asked if asked == purpose])


def _pair(values: list[str]) -> tuple[bytes, bytes]:
    return bytes.fromhex(values[0]), bytes.fromhex(values[1])


def _stream(seed: bytes, purpose: str, asked: list[tuple[int, int]]) -> Iterator[str]:
    """The bytes of one purpose and the numbers they made, found again from the seed alone."""
    key = M(seed, "stream-key", purpose)
    yield f"    {purpose}"
    yield f"      key     {key.hex()}"
    bytes_of, taken = b"", 0
    for n, value in asked:
        limit, skipped = BYTE_VALUES // n * n, ""
        while True:
            if taken == len(bytes_of):
                block = M(key, "stream", taken // 32)
                yield f"      block {taken // 32} {block.hex()}"
                bytes_of += block
            byte, taken = bytes_of[taken], taken + 1
            if byte < limit:
                break
            skipped += f"byte {taken} is {byte}, not under {limit}: skipped; "
        assert byte % n == value
        yield f"      {skipped}byte {taken} is {byte} (hex {byte:02x}), mod {n} is {value}{_meaning(purpose, n, value)}"


def _meaning(purpose: str, n: int, value: int) -> str:
    """What a drawn number stands for (rules 1 to 5)."""
    if purpose in ("outcome", "contact", "pickoff", "steal"):
        return f": the die shows {value + 1}"
    if purpose == "home":
        return f": the {('host', 'guest')[value]} is the home team"
    if purpose == "pitch":
        return f": pitch {value + 1} of the chart"
    if n == 54:
        return f": {card_words(value)}"
    return f": the {ordinal(value + 1)} of the {n} that the play may name"
