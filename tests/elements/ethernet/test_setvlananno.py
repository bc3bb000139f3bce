"""SetVLANAnno: what Click's handlers say and do."""

from socket import htons

import pytest

from clickbpf.testing.cases import Case

HANDLERS = ("vlan_tci", "vlan_id", "vlan_pcp")


@pytest.mark.parametrize(
    ("arguments", "tci"), [("0x6005", 0x6005), ("5, 3", 0x6005), ("VLAN_ID 5, VLAN_PCP 3", 0x6005), ("0x2005, 2", 0x6005), ("", 0)]
)
def test_the_annotation_is_set(element, arguments, tci):
    x = element(f"SetVLANAnno({arguments})")
    x.send(bytes(60))
    x.expect(0, bytes(60), VLAN_TCI=htons(tci))


def test_handlers(element):
    """Click's values, one write after another: what is written to vlan_tci doesn't take priority bits away."""
    x = element("SetVLANAnno(0x6005)")
    assert [x.read(name) for name in HANDLERS] == ["24581", "5", "3"]
    for name, value, expected in (
        ("vlan_tci", "9", ["24585", "9", "3"]),
        ("vlan_pcp", "2", ["16393", "9", "2"]),
        ("vlan_id", "3", ["16387", "3", "2"]),
        ("vlan_tci", "0x6007", ["24583", "7", "3"]),
    ):
        x.write(name, value)
        assert [x.read(name) for name in HANDLERS] == expected
    x.send(bytes(60))
    x.expect(0, VLAN_TCI=htons(0x6007))
    for name, value in (("vlan_id", "4096"), ("vlan_pcp", "8"), ("vlan_tci", "ANNO")):
        with pytest.raises(Exception, match="bound|integer"):
            x.write(name, value)


def test_config_has_the_current_values(element):
    """As Click's `config`, whatever the form of the arguments was."""
    x = element("SetVLANAnno(24583, 1)")
    assert x.read("config") == "VLAN_ID 7, VLAN_PCP 3"
    x.write("vlan_pcp", "5")
    x.write("vlan_id", "6")
    assert x.read("config") == "VLAN_ID 6, VLAN_PCP 5"


CASES = [Case("SetVLANAnno(0x6005)", packets=500)]
