"""Features that only clickbpf's own loader supports."""

from clickbpf.errors import ClickError
from clickbpf.objects.manifest import Manifest


def makes_no_devices(manifest: Manifest, loader: str) -> None:
    """ClickError if the router has devices of its own, which the loader of this name doesn't make."""
    if manifest.made:
        devices = ", ".join(each.device for each in manifest.made)
        raise ClickError(f"{loader} doesn't make the devices that the router makes: {devices}", hint="leave out FromHost, and --hook tc")
