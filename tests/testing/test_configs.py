"""The configurations that come with clickbpf do the same with and without their kernel path."""

from pathlib import Path

import pytest

from clickbpf.compile import check_file
from clickbpf.library import Library
from clickbpf.plan.devices import device_names
from clickbpf.testing.equivalence import assert_equivalent
from clickbpf.testing.packets import Mix

pytestmark = pytest.mark.needs("root", "clang-19")

CONFIGS = Path(__file__).parents[2] / "configs"
#: The addresses that the configurations have by default.
MACS = {"eth0": "02:00:00:00:00:10", "eth1": "02:00:00:00:01:10"}
MIX = Mix(
    addresses=("10.0.0.1", "10.0.0.2", "10.0.0.254", "10.0.1.1", "10.0.1.2", "10.0.0.255", "192.0.2.1"),
    macs=tuple(MACS.values()),
)


def from_devices(path: Path) -> bool:
    return "FromDevice" in path.read_text()


@pytest.mark.parametrize("path", [path for path in sorted(CONFIGS.glob("*.click")) if from_devices(path)], ids=lambda path: path.stem)
def test_a_configuration(path):
    instances = check_file(path, Library.standard()).instances.values()
    devices = {device: MACS[device] for device in device_names(instances) if device in MACS}
    assert_equivalent(path, 2000, devices=devices, mix=MIX, patience=1)
