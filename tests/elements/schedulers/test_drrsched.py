"""DRRSched: fair in bytes."""



def test_inputs_get_the_same_number_of_bytes(merged):
    x, lengths = merged("DRRSched", 3), (60, 500, 1500)
    for port, packets in enumerate((900, 150, 50)):
        x.fill(port, packets, lengths[port])
    got = x.pull(600)
    bytes_ = [got.count(port) * length for port, length in enumerate(lengths)]
    # Shreedhar and Varghese 1995, theorem: no two differ by more than the quantum and twice the longest packet.
    assert max(bytes_) - min(bytes_) <= 500 + 2 * 1500 and min(bytes_) > 30_000


def test_rounds(merged):
    """An input gets 100 bytes more whenever its turn comes: 100-byte packets pass one a turn, of 150 bytes two in three."""
    x = merged("DRRSched(100)", 2)
    x.fill(0, 3, 100)
    x.fill(1, 2, 150)
    assert x.pull(10) == [0, 1, 0, 1, 0]


def test_an_empty_input_keeps_no_credit(merged):
    x = merged("DRRSched(100)", 2)
    x.fill(0, 50, 100)
    x.pull(50)
    x.fill(0, 20, 100)
    x.fill(1, 20, 100)
    got = x.pull(20)
    assert abs(got.count(0) - got.count(1)) <= 2


MISTAKES = {"Idle -> DRRSched(0) -> Discard;": ["DRRSched: bad QUANTUM"], "Idle -> DRRSched(-3) -> Discard;": ["DRRSched: bad QUANTUM"]}
