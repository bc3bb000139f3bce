"""FromNetFlowSummaryDump: packets of flows. The values are those of Click 2.1's, but for the type of service, which it doesn't read."""

import bz2
import gzip
import lzma

import pytest

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import Library

pytestmark = pytest.mark.executors("native")

FIELDS = "FIELDS timestamp first_timestamp count link ip_src sport ip_dst dport ip_len ip_proto ip_tos ip_ttl tcp_flags ip_capture_len"
TEXT = """! comment
192.4.1.32|18.26.4.44|0|14|16|5|10932|998006995|998006999|3917|80|0|18|6|0

192.4.1.33|18.26.4.45|0|300|17|1|100|998006995|0|53|1053|0|0|17|4
192.4.1.34|18.26.4.46|0|3|2|1|70000|998006996|998006997|8|0|x|0|50|0|more|parts
10.0.0.1|10.0.0.3|0|3|2|x|x|x|x|1|2|0|2|6|0
10.0.0.1|10.0.0.3|0|3|2|1|40|998006996|998006997|1|2|0|2|6|0
"""
HEAD = "998006999.000000 998006995.000000 5"
TCP, UDP = "192.4.1.32 3917 18.26.4.44 80", "998006995.000000 1 {} 192.4.1.33 53 18.26.4.45 1053 100 U 4 0 - 28"


def read(router, path, arguments: str = "") -> tuple[list[str], str]:
    """What is read, as a summary, and how far."""
    out = path.parent / "out"
    r = router(
        f"f :: FromNetFlowSummaryDump({path}{arguments}, STOP true) -> t :: ToIPSummaryDump({out}, HEADER false, {FIELDS}) -> Discard;"
    )
    position = r.read("f.filepos")
    r.close()
    return out.read_text().splitlines(), position


@pytest.mark.parametrize("link, paints", [("input", (14, 255)), ("OUTPUT", (16, 17)), ("both", (14 << 4 | 15, 255))])
def test_packets_of_flows(router, tmp_path, capfd, link, paints):
    """Until a line is wrong."""
    (tmp_path / "flows").write_text(TEXT)
    lines, position = read(router, tmp_path / "flows", f", LINK {link}")
    assert lines[:2] == [f"{HEAD} {paints[0]} {TCP} 10932 T 0 0 SA 40", "998006995.000000 " + UDP.format(paints[1])]
    assert lines[2].endswith(" 192.4.1.34 - 18.26.4.46 - 70000 50 0 0 - 20") and len(lines) == 3
    assert position == str(TEXT.index("10.0.0.1"))
    assert f"{tmp_path}/flows:6: bad format\n" in capfd.readouterr().err


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_several_packets_of_a_flow(router, tmp_path, pack):
    """Of a file that is compressed: equal intervals, and the last packet has the bytes that are left."""
    (tmp_path / "flows").write_bytes(pack(TEXT.splitlines(True)[1].encode()))
    lines, _ = read(router, tmp_path / "flows", ", MULTIPACKET true")
    sizes = [2186, 2186, 2186, 2186, 2188]
    assert lines == [
        f"{998006995 + number}.000000 998006995.000000 1 14 {TCP} {size} T 0 0 SA 40" for number, size in enumerate(sizes)
    ]


def test_mistakes(router, tmp_path):
    with pytest.raises(ClickError, match="'LINK' should be 'input', 'output', or 'both'"):
        check_text("FromNetFlowSummaryDump(x, LINK in) -> Discard;", Library.standard())
    (tmp_path / "flows").write_bytes(gzip.compress(TEXT.encode())[:-20])
    for name in ("flows", "others"):
        with pytest.raises(ClickError, match=name):
            router(f"FromNetFlowSummaryDump({tmp_path}/{name}) -> Discard;")
