"""The handler `debug`, which all classes of Click have that know the argument DEBUG, and AvailableRates."""

from tests.elements.beside import Tried, beside

CLASSES = (
    "AthdescDecap", "AthdescEncap", "ExtraDecap", "ExtraEncap", "Prism2Decap", "Prism2Encap", "RadiotapDecap", "RadiotapEncap", "WepDecap",
    "WepEncap", "WifiDecap", "WifiDefrag", "WifiDupeFilter", "WifiEncap", "WifiFragment", "WifiSeq",
)  # fmt: skip
REQUIRED = {"WifiEncap": "1, "}


def test_it_begins_with_the_argument_and_can_be_changed(router):
    r = router(beside(Tried(f"{name}({REQUIRED.get(name, '')}DEBUG true)") for name in CLASSES))
    for number, name in enumerate(CLASSES):
        before = r.read(f"x{number}.debug")
        r.write(f"x{number}.debug", "false")
        assert (name, before, r.read(f"x{number}.debug")) == (name, "true\n", "false\n")


def test_rates_have_no_argument_for_it(router):
    r = router("t :: AvailableRates(DEFAULT 2 4); Idle -> x :: MadwifiRate(RT t) -> Discard; Idle -> [1]x[1] -> Discard;")
    assert r.read("t.debug") == "false\n"
    r.write("t.debug", "1")
    assert r.read("t.debug") == "true\n"
    for name in ("stepup", "stepdown"):  # Numbers of MadwifiRate that mean nothing.
        assert r.read(f"x.{name}") == "0\n"
        r.write(f"x.{name}", "7")
        assert r.read(f"x.{name}") == "7\n"
