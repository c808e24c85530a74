"""Meeting (fair-play 8): keys, confirmations, resuming, sealed frames; and everyone who interferes."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pball.protocol.encoding import M, enc
from p2pball.protocol.meeting import Code, Meeting, MeetingError, Phase, Role, Tampered, WrongCode, resume_nameplate
from p2pball.protocol.meeting.keys import RoomKeys, Spake, derive
from p2pball.protocol.meeting.sealing import Box
from tests.protocol.meetings import CODE, SECRET, entropy, meet, met, pair


class TestKeys:
    def test_both_sides_have_the_same_keys_and_each_use_its_own(self) -> None:
        host, guest = met()
        assert host.keys == guest.keys
        assert host.keys.sas == guest.keys.sas
        assert host.resume_secret == guest.resume_secret == host.keys.resume
        proofs = {
            host.keys.proof(role, *certificates) for role in Role for certificates in ((b"a", b"b"), (b"b", b"a"))
        }
        assert len(proofs) == 4
        keys = host.keys
        assert len({keys.host_to_guest, keys.guest_to_host, keys.confirm_host, keys.confirm_guest, keys.resume}) == 5

    def test_hkdf_is_rfc_5869_with_the_info_of_fair_play_8_3(self) -> None:
        info = enc("room-keys", "4821", b"a" * 33, b"b" * 33)
        extracted = M_raw(bytes(32), b"k" * 32)
        first = M_raw(extracted, info + b"\x01")
        second = M_raw(extracted, first + info + b"\x02")
        keys = derive(b"k" * 32, b"", "4821", b"a" * 33, b"b" * 33)
        assert (keys.host_to_guest, keys.guest_to_host) == (first, second)
        assert keys.confirmation(Role.HOST) == M(keys.confirm_host, "confirm", "host")

    def test_the_ids_bind_the_nameplate_even_when_the_password_is_the_same(self) -> None:
        host = Spake(Role.HOST, "x", "0001", entropy(1))
        guest = Spake(Role.GUEST, "x", "0002", entropy(2))
        assert host.finish(guest.message) != guest.finish(host.message)

    def test_everything_random_comes_from_the_argument(self) -> None:
        a, b = met(), met()
        assert a[0].keys == b[0].keys
        assert a[0].seal(b"x") == b[0].seal(b"x")
        assert Meeting.by_code(Role.HOST, CODE, entropy(9)).opening != a[0].opening

    def test_the_short_authentication_string_is_six_digits(self) -> None:
        keys = RoomKeys(*[bytes(32)] * 5, short_authentication=(7).to_bytes(8, "big") + bytes(24))
        assert keys.sas == "000 007"


def M_raw(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA256 with no encoding, to rebuild HKDF by hand."""
    import hmac

    return hmac.digest(key, data, "sha256")


class TestMeeting:
    def test_two_frames_each_way_then_sealed_ones_both_ways(self) -> None:
        host, guest = met()
        assert host.phase is guest.phase is Phase.SEALED
        assert host.confirmed
        assert host.guessed
        for n in range(3):
            assert guest.receive(host.seal(b"offer %d" % n)) == ((), b"offer %d" % n)
            assert host.receive(guest.seal(b"answer %d" % n)) == ((), b"answer %d" % n)

    @pytest.mark.parametrize(
        "other", [Code("4821", ("crisp", "wood")), Code("4821", ("wolf", "crisp")), Code("4822", ("crisp", "wolf"))]
    )
    def test_a_wrong_code_is_refused_on_both_sides_and_burns_the_meeting(self, other: Code) -> None:
        host, guest = pair()[0], Meeting.by_code(Role.GUEST, other, entropy(2))
        (from_host,), _ = host.receive(guest.opening)
        (from_guest,), _ = guest.receive(host.opening)
        with pytest.raises(WrongCode, match="one guess"):
            host.receive(from_guest)
        with pytest.raises(WrongCode):
            guest.receive(from_host)
        # One guess: not even the right frames are heard any more.
        for meeting in (host, guest):
            assert meeting.phase is Phase.BURNT
            with pytest.raises(MeetingError):
                meeting.receive(from_host)
            with pytest.raises(MeetingError):
                meeting.seal(b"x")

    def test_nothing_is_sealed_and_no_key_is_told_before_the_other_has_confirmed(self) -> None:
        host, guest = pair()
        for _ in range(2):
            with pytest.raises(MeetingError):
                host.seal(b"offer")
            with pytest.raises(MeetingError):
                _ = host.keys
            host.receive(guest.opening) if host.phase is Phase.OPENING else None

    def test_a_reflected_opening_is_refused(self) -> None:
        for meeting in (*pair(), Meeting.by_secret(Role.HOST, SECRET, entropy(1))):
            with pytest.raises(Tampered):
                meeting.receive(meeting.opening)

    def test_a_reflected_confirmation_is_refused(self) -> None:
        host, guest = pair()
        (own,), _ = host.receive(guest.opening)
        with pytest.raises(WrongCode):
            host.receive(own)

    def test_a_man_in_the_middle_who_does_not_know_the_words_meets_a_wrong_code_on_both_sides(self) -> None:
        host, guest = pair()
        guess = Code("4821", ("abandon", "ability"))
        to_host = Meeting.by_code(Role.GUEST, guess, entropy(3))
        to_guest = Meeting.by_code(Role.HOST, guess, entropy(4))
        for honest, evil in ((host, to_host), (guest, to_guest)):
            honest.receive(evil.opening)
            (confirmation,), _ = evil.receive(honest.opening)
            with pytest.raises(WrongCode):
                honest.receive(confirmation)

    @settings(max_examples=60)
    @given(st.one_of(st.binary(max_size=70), st.binary(min_size=32, max_size=32).map(lambda point: b"B" + point)))
    def test_any_bytes_as_an_opening_are_refused_or_end_as_a_wrong_code(self, junk: bytes) -> None:
        host, _ = pair()
        try:
            host.receive(junk)
        except Tampered:
            return
        with pytest.raises(WrongCode):
            host.receive(bytes(32))


class TestResume:
    def test_the_room_and_the_keys_come_from_the_resume_secret_and_are_new_each_time(self) -> None:
        seen = set()
        for seed in (1, 3):
            host = Meeting.by_secret(Role.HOST, SECRET, entropy(seed))
            guest = Meeting.by_secret(Role.GUEST, SECRET, entropy(seed + 1))
            meet(host, guest)
            assert host.keys == guest.keys
            assert guest.receive(host.seal(b"offer"))[1] == b"offer"
            seen.add(host.keys)
            assert host.resume_secret == guest.resume_secret == SECRET
            assert not host.guessed
            assert host.nameplate == guest.nameplate == resume_nameplate(SECRET)
        assert len(seen) == 2

    def test_the_nameplate_is_32_hex_digits(self) -> None:
        assert len(resume_nameplate(SECRET)) == 32
        assert set(resume_nameplate(SECRET)) <= set("0123456789abcdef")
        assert resume_nameplate(SECRET) != resume_nameplate(bytes(32))

    def test_the_salt_is_the_hosts_half_then_the_guests(self) -> None:
        host = Meeting.by_secret(Role.HOST, SECRET, entropy(1))
        guest = Meeting.by_secret(Role.GUEST, SECRET, entropy(2))
        meet(host, guest)
        salt = host.opening + guest.opening
        assert host.keys == derive(SECRET, salt, resume_nameplate(SECRET), host.opening, guest.opening)

    def test_a_stranger_in_the_room_is_no_wrong_code_but_tampering(self) -> None:
        host = Meeting.by_secret(Role.HOST, SECRET, entropy(1))
        host.receive(bytes(32))
        with pytest.raises(Tampered):
            host.receive(bytes(32))

    def test_an_opening_of_another_length_is_refused(self) -> None:
        with pytest.raises(Tampered):
            Meeting.by_secret(Role.GUEST, SECRET, entropy(1)).receive(bytes(31))


class TestSealing:
    @given(st.data())
    def test_a_changed_byte_anywhere_is_refused(self, data: st.DataObject) -> None:
        keys = RoomKeys(*(bytes([i]) * 32 for i in range(6)))
        frame = bytearray(Box(keys, Role.HOST).seal(b"the offer", bytes(12)))
        frame[data.draw(st.integers(0, len(frame) - 1))] ^= data.draw(st.integers(1, 255))
        with pytest.raises(Tampered):
            Box(keys, Role.GUEST).open(bytes(frame))

    def test_every_order_but_the_right_one_is_refused_and_so_are_repeats(self) -> None:
        for order in itertools.product(range(3), repeat=3):
            host, guest = met()
            frames = [host.seal(b"%d" % n) for n in range(3)]
            opened = []
            try:
                for n in order:
                    opened.append(guest.receive(frames[n])[1])
            except Tampered:
                assert order != (0, 1, 2)
            else:
                assert order == (0, 1, 2)
            assert opened == [b"0", b"1", b"2"][: len(opened)]

    def test_a_frame_sent_back_to_its_sender_is_refused(self) -> None:
        host, _ = met()
        with pytest.raises(Tampered):
            host.receive(host.seal(b"offer"))

    def test_a_short_frame_is_refused(self) -> None:
        for length in (0, 11, 12, 27):
            with pytest.raises(Tampered):
                met()[0].receive(bytes(length))

    def test_a_nonce_of_another_length_is_refused(self) -> None:
        keys = RoomKeys(*(bytes([i]) * 32 for i in range(6)))
        with pytest.raises(ValueError, match="12 bytes"):
            Box(keys, Role.HOST).seal(b"", bytes(11))

    def test_the_nonce_is_fresh_for_every_frame(self) -> None:
        host, _ = met()
        assert len({host.seal(b"same")[:12] for _ in range(50)}) == 50
