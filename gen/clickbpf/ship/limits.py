"""Features that only clickbpf's own loader supports."""

from clickbpf.errors import ClickError
from clickbpf.objects.manifest import Manifest


def makes_no_devices(manifest: Manifest, loader: str) -> None:
    """ClickError if the router makes devices, which the loader with this name can't do."""
    if manifest.made:
        devices = ", ".join(each.device for each in manifest.made)
        raise ClickError(f"{loader} doesn't make the devices that the router makes: {devices}", hint="leave out FromHost, and --hook tc")
