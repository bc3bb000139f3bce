"""Which elements `clickbpf top` shows, by the keys that are pressed."""

from types import SimpleNamespace

from clickbpf.cli.screen import View

ELEMENTS = [SimpleNamespace(element=name, rate=rate, drop_rate=drops, dropped=drops) for name, rate, drops in (
    ("a", 1, 0), ("b", 50, 0), ("c", 0, 9), ("d", 70, 1), ("e", 2, 0))]  # fmt: skip


def shown(view: View, most: int) -> str:
    return "".join(each.element for each in view.shown(ELEMENTS, most))


def test_without_room_for_all_the_busiest_are_shown_in_the_configurations_order():
    assert [shown(View(), most) for most in (9, 3, 1, 0)] == ["abcde", "bcd", "d", "d"]


def test_orders():
    view = View()
    seen = [shown(view, 3)]
    for _ in range(3):
        assert view.press("s")
        seen.append(shown(view, 3))
    assert seen == ["bcd", "dbe", "cda", "bcd"]


def test_scrolling_ends_where_the_elements_do():
    view = View()
    assert shown(view, 2) == "bd"
    seen = []
    for key in ("j", "\x1b[B", "\x1b[6~", "j", "k", "\x1b[5~", "k"):
        assert view.press(key)
        seen.append(shown(view, 2))
    assert seen == ["bc", "cd", "de", "de", "cd", "bd", "bd"]


def test_q_quits_and_other_keys_do_nothing():
    view = View()
    assert view.press("x") and shown(view, 9) == "abcde" and not view.press("q")
