"""Queue, MixedQueue, FrontDropQueue: which packets are stored, pulled and dropped."""

import pytest


def queue(router, class_: str, inputs: int = 1, dropped: bool = False):
    """Packets of in0 and in1 come to the inputs, what is pulled leaves by `out` and what is dropped by `lost`."""
    ways = "".join(f"FromDevice(in{i}) -> [{i}]q;" for i in range(inputs))
    lost = "q[1] -> Queue -> ToDevice(lost);" if dropped else ""
    return router(f"q :: {class_}; {ways} q -> u :: Unqueue(ACTIVE false) -> Queue -> ToDevice(out); {lost}")


def send(r, *names: str) -> list[tuple[str, str]]:
    """Packets of one letter, at input 1 if it is a small one; those that left meanwhile, with their devices."""
    left = []
    for name in names:
        left += r.send(f"in{int(name.islower())}", name.encode() * 60)
    return [(output.device, chr(output.data[0])) for output in left]


def pull(r) -> str:
    pulled = "".join(chr(output.data[0]) for output in r.write("u.active", "true"))
    r.write("u.active", "false")
    return pulled


def test_a_mixed_queue_is_first_in_first_out_and_last_in_first_out(router):
    """The example of Click's manual."""
    r = queue(router, "MixedQueue", 2)
    send(r, "A", "B", "c", "D", "e")
    assert pull(r) == "ecABD"


def test_a_full_mixed_queue_refuses_at_one_end_and_pushes_out_at_the_other(router):
    r = queue(router, "MixedQueue(3)", 2, dropped=True)
    assert send(r, "A", "B", "C", "D") == [("lost", "D")]
    assert send(r, "e", "f") == [("lost", "C"), ("lost", "B")]
    assert (r.read("q.drops"), r.read("q.length"), r.read("q.highwater_length")) == ("3", "3", "3")
    assert pull(r) == "feA"


def test_a_full_front_drop_queue_loses_its_oldest_packet(router):
    r = queue(router, "FrontDropQueue(3)", dropped=True)
    assert send(r, *"ABCDE") == [("lost", "A"), ("lost", "B")]
    assert (r.read("q.drops"), r.read("q.length"), r.read("q.highwater_length")) == ("2", "3", "3")
    assert pull(r) == "CDE"


@pytest.mark.executors("native")
@pytest.mark.parametrize(
    "class_, input", [("Queue(3)", "A"), ("NotifierQueue(3)", "A"), ("FrontDropQueue(3)", "A"), ("MixedQueue(3)", "a"),
     ("FullNoteQueue(3)", "A"), ("ThreadSafeQueue(3)", "A")]
)  # fmt: skip
def test_the_first_packet_without_room_is_reported(router, capfd, class_, input):
    """In Click's words, for which FullNoteQueue is an old name of Queue; again after the counts were reset."""
    r = queue(router, class_, 2 if class_.startswith("Mixed") else 1)
    said = f"q :: {class_.partition('(')[0].removeprefix('FullNote')}: overflow\n"
    send(r, *(3 * input))
    assert capfd.readouterr().err == ""
    send(r, *(2 * input))
    assert capfd.readouterr().err == said
    r.write("q.reset_counts")
    send(r, input)
    assert capfd.readouterr().err == said


@pytest.mark.executors("native")
def test_a_queue_for_no_packets_overflows_in_silence(router, capfd):
    r = queue(router, "Queue(0)")
    send(r, "A", "A")
    assert (r.read("q.drops"), capfd.readouterr().err) == ("2", "")


@pytest.mark.parametrize("class_, kept", [("Queue", "ABC"), ("FrontDropQueue", "DEF")])
def test_a_smaller_capacity_keeps_what_the_queue_would_have_kept(router, class_, kept):
    r = queue(router, f"{class_}(5)")
    send(r, *"ABCDE")
    r.write("q.capacity", 3)
    assert (r.read("q.capacity"), r.read("q.length"), r.read("q.drops")) == ("3", "3", "0")
    send(r, "F")
    assert r.read("q.drops") == "1"
    assert pull(r) == kept


@pytest.mark.parametrize("class_, inputs", [("Queue", 1), ("FrontDropQueue", 1), ("MixedQueue", 2)])
def test_counts_and_reset(router, class_, inputs):
    r = queue(router, f"{class_}(2)", inputs)
    send(r, *"ABC")
    r.write("q.reset")
    assert (r.read("q.length"), r.read("q.drops"), r.dropped("q", "FULL")) == ("0", "1", 1)
    r.write("q.reset_counts")
    assert (r.read("q.highwater_length"), r.read("q.drops")) == ("0", "0")
    r.write("q.capacity", 0)
    send(r, "D")
    assert (r.read("q.drops"), pull(r)) == ("1", "")


@pytest.mark.parametrize("class_, inputs", [("Queue", 1), ("FrontDropQueue", 1), ("MixedQueue", 2)])
def test_order_is_kept_while_the_queue_grows_and_turns_round(router, class_, inputs):
    r = queue(router, class_, inputs)
    first, later = [bytes([i, 0] * 30) for i in range(50)], [bytes([i % 256, 1] * 30) for i in range(300)]
    r.send("in0", first)
    assert [output.data for output in r.write("u.active", "true")] == first
    r.write("u.active", "false")
    r.send("in0", later)
    assert [output.data for output in r.write("u.active", "true")] == later


@pytest.mark.parametrize("class_, pushed", [("Queue", 5), ("FullNoteQueue", 5), ("SimpleQueue", 15), ("NotifierQueue", 15)])
@pytest.mark.executors("native")
def test_who_tells_sources_that_it_is_full(router, class_, pushed):
    r = router(f"s :: InfiniteSource(LIMIT 15) -> {class_}(5) -> u :: Unqueue(ACTIVE false) -> Discard;")
    assert r.read("s.count") == str(pushed)


@pytest.mark.executors("native")
def test_another_configuration(router):
    r = queue(router, "Queue(5)")
    assert r.read("q.config") == "5"
    r.write("q.capacity", "7")
    assert r.read("q.config") == "7"
    for before in ("", "CAPACITY 5"):
        r.write("q.config", before)
        r.write("q.capacity", "7")
        assert r.read("q.config") == "CAPACITY 7"
    send(r, *"ABCDE")
    r.write("q.config", "CAPACITY 2")
    assert (r.read("q.config"), r.read("q.capacity"), r.read("q.length")) == ("CAPACITY 2", "2", "2")
    r.write("q.config", "")
    assert r.read("q.capacity") == "1000"
    with pytest.raises(Exception, match="is not an integer"):
        r.write("q.config", "many")
    assert "config\trw" in r.read("q.handlers")
