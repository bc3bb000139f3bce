"""InfiniteSource's handlers."""


def test_older_names_of_handlers(router):
    """Click's scripts from before LENGTH and BURST."""
    running = router("s :: InfiniteSource(abc, LIMIT 0, BURST 3) -> c :: Counter -> Discard; Idle -> ToDevice(eth0)")
    assert (running.read("s.burstsize"), running.read("s.datasize")) == ("3", "-1")
    running.write("s.burstsize", "5")
    running.write("s.datasize", "100")
    assert (running.read("s.burst"), running.read("s.length")) == ("5", "100")
    running.write("s.limit", "2")
    running.advance(0)
    assert running.read("c.byte_count") == "200"
