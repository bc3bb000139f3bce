"""What RatedSplitter and BandwidthRatedSplitter have in common."""

from __future__ import annotations

from clickbpf.vocabulary.element import KERNEL, PUSH

from ..common._bucket import SHARED_BUCKET, BucketElement


class SplitterElement(BucketElement):
    """So much leaves by output 0, the rest by output 1 if there is one."""

    ports = "1/1-2"
    processing = PUSH
    runs = KERNEL
    reconfigurable = True
    state_types = {"bucket": SHARED_BUCKET}
    weight = 90
