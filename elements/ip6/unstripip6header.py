"""UnstripIP6Header: the IPv6 header comes back."""

from __future__ import annotations

from clickbpf.vocabulary.element import Element


class UnstripIP6Header(Element):
    """brings back the IPv6 header that was removed

    Synopsis: `UnstripIP6Header`

    The packet begins with its network header annotation again, which CheckIP6Header or MarkIP6Header set before StripIP6Header
    removed the header. A packet that begins there, or earlier, passes unchanged; one without the annotation is dropped.

    Ports: one input, one output.

    Example: what is after the IPv6 header is looked at for itself:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> StripIP6Header -> c :: Classifier(0/0035, -);
        c[0] -> UnstripIP6Header -> Discard;
        c[1] -> Discard;
    """

    aliases = ("UnstripIP6",)
    weight = 20
