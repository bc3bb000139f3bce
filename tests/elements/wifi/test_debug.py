"""The handler `debug`, which all classes of Click have that know the argument DEBUG, and AvailableRates."""

import pytest

CLASSES = (
    "AthdescDecap", "AthdescEncap", "ExtraDecap", "ExtraEncap", "Prism2Decap", "Prism2Encap", "RadiotapDecap", "RadiotapEncap", "WepDecap",
    "WepEncap", "WifiDecap", "WifiDefrag", "WifiDupeFilter", "WifiEncap", "WifiFragment", "WifiSeq",
)  # fmt: skip
REQUIRED = {"WifiEncap": "1, "}


@pytest.mark.parametrize("class_name", CLASSES)
def test_it_begins_with_the_argument_and_can_be_changed(element, class_name):
    x = element(f"{class_name}({REQUIRED.get(class_name, '')}DEBUG true)")
    assert x.read("debug") == "true\n"
    x.write("debug", "false")
    assert x.read("debug") == "false\n"


def test_rates_have_no_argument_for_it(router):
    r = router("t :: AvailableRates(DEFAULT 2 4);")
    assert r.read("t.debug") == "false\n"
    r.write("t.debug", "1")
    assert r.read("t.debug") == "true\n"


def test_numbers_of_madwifi_rate_that_mean_nothing(router):
    r = router("t :: AvailableRates(DEFAULT 2 4); Idle -> x :: MadwifiRate(RT t) -> Discard; Idle -> [1]x[1] -> Discard;")
    for name in ("stepup", "stepdown"):
        assert r.read(f"x.{name}") == "0\n"
        r.write(f"x.{name}", "7")
        assert r.read(f"x.{name}") == "7\n"
