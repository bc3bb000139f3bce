"""SetVLANAnno: what Click's handlers say and do."""

from socket import htons

from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

HANDLERS = ("vlan_tci", "vlan_id", "vlan_pcp")


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
    x.gives(bytes(60), VLAN_TCI=htons(0x6007))
    for name, value in (("vlan_id", "4096"), ("vlan_pcp", "8"), ("vlan_tci", "ANNO")):
        x.refuses(name, value, "bound|integer")


TRIALS = {
    "the annotation is set": [
        Trial(f"SetVLANAnno({arguments})").passes(bytes(60), VLAN_TCI=htons(tci))
        for arguments, tci in [("0x6005", 0x6005), ("5, 3", 0x6005), ("VLAN_ID 5, VLAN_PCP 3", 0x6005), ("0x2005, 2", 0x6005), ("", 0)]
    ],
    # As Click's `config`, whatever the form of the arguments was.
    "config has the current values": Trial("SetVLANAnno(24583, 1)")
        .reads(config="VLAN_ID 7, VLAN_PCP 3").write("vlan_pcp", "5").write("vlan_id", "6").reads(config="VLAN_ID 6, VLAN_PCP 5"),
}

CASES = [Case("SetVLANAnno(0x6005)", packets=500)]
