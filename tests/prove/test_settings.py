"""Settings are known as the configuration has them."""

from clickbpf.compile import Compilation, check_text
from clickbpf.prove.settings import initial_settings
from clickbpf.vocabulary.library import Library


def test_a_setting_whose_field_has_another_name_than_its_argument():
    """EtherEncap keeps its ETHERTYPE as the header has it, in `type`."""
    text = "FromDevice(eth0) -> Strip(14) -> EtherEncap(0x1234, 2:0:0:0:0:1, 2:0:0:0:0:2) -> Queue -> ToDevice(eth0);"
    (found,) = [each for each in initial_settings(Compilation(check_text(text, Library.standard()))).values() if each]
    assert bytes(found[at] for at in sorted(found)) == bytes.fromhex("020000000002 020000000001 1234")


def test_patterns_are_those_of_the_configuration():
    """IPClassifier follows its table, rather than its code, once a handler has changed a pattern."""
    text = "FromDevice(eth0) -> MarkIPHeader(14) -> c :: IPClassifier(tcp) -> Queue -> ToDevice(eth0);"
    made = Compilation(check_text(text, Library.standard()))
    (entry,) = [each for each in made.manifest.states if (each.element, each.state) == ("c", "vars")]
    assert initial_settings(made)[entry.map][entry.offset] == 0
