"""Message: on standard error, with its place."""

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library


def test_messages_and_warnings_are_shown_and_the_router_is_made(capsys):
    assert check_text('Message("hi, there");\nMessage(take care, WARNING);'.replace("take care", '"take care"'), Library.standard())
    shown = capsys.readouterr().err
    assert "config:1:1: message: hi, there" in shown
    assert "config:2:1: warning: take care" in shown


MISTAKES = {'Message("not here", ERROR);': ["Message: not here"]}
