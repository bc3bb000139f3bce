"""Idle: no packet goes in or out."""


def test_pushed_packets_are_dropped(router):
    r = router("FromDevice(eth0) -> [1] i :: Idle; Idle -> [0] i; i[0] -> Queue -> ToDevice(eth1);")
    r.send("eth0", bytes(64))
    r.expect_nothing()
    assert r.dropped("i", "DISCARDED") == 1


def test_there_is_nothing_to_pull(router):
    """Neither for a device, nor for another Idle."""
    r = router("i :: Idle; FromDevice(eth0) -> i; i[0] -> ToDevice(eth1); i[1] -> d :: Discard; i[2] -> [1] i;")
    r.send("eth0", bytes(64))
    r.expect_nothing()
    assert r.read("d.count") == "0"
