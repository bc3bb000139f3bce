"""Error: one mistake, and no other."""


def test_it_is_the_only_mistake(refused_router):
    assert refused_router('Idle -> e :: Error(any, thing "at all") -> Discard; e[1] -> Queue -> [1] e;').count("\n") == 0
    assert refused_router("Error;") == "Error: this router is not to be run"
