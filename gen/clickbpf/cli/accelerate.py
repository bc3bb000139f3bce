"""Forward a Linux router's plain packets in XDP, by Linux's routes and neighbours; all other packets go to Linux."""

import argparse
from collections.abc import Collection
from pathlib import Path

from clickbpf.cli import load
from clickbpf.cli.output import read_text, say
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import own_elements

#: The configuration's last line that stays: the parts for the devices are written after it.
MARK = "// ---- For each device"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    load.add_arguments(parser)
    said = "load FILE, your copy of configs/linuxrouter.click, instead of the original"
    parser.add_argument("--config", metavar="FILE", help=said)
    said = "accelerate even if forwarded packets then bypass packet filters, address translation or IPsec"
    parser.add_argument("--ignore-netfilter", action="store_true", help=said)
    parser.set_defaults(name="accelerate")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.devices.forwarding import check_forwarding, forwarding6, notes

    devices = [word for word in options.words if "=" not in word]
    variables = [word for word in options.words if "=" in word]
    if options.expression is not None or options.file is not None or not devices:
        raise ClickError("name the devices to accelerate", hint="as in 'clickbpf accelerate eth0 eth1'; --config names a file")
    if len(set(devices)) < len(devices):
        raise ClickError("a device is named twice")
    check_forwarding(devices)
    _check_filters(options.ignore_netfilter)
    for note in notes(devices):
        say(note)
    path = Path(options.config) if options.config else own_elements().parent / "configs" / "linuxrouter.click"
    options.expression, options.words = with_devices(read_text(str(path)), devices, forwarding6(devices)), variables
    load.run(options)


def _check_filters(ignored: bool) -> None:
    from clickbpf.load.devices.forwarding import bypassed

    found = bypassed()
    if found and not ignored:
        hint = "use --ignore-netfilter to accept this, or --config with a copy of configs/linuxrouter.click that filters packets itself"
        raise ClickError(f"forwarded packets would bypass {', '.join(found)}", hint=hint)
    for each in found:
        say(f"forwarded packets bypass {each}")


def with_devices(text: str, devices: list[str], ipv6: Collection[str]) -> str:
    """The configuration with a part for each device; `ipv6` are the devices that forward IPv6. Without MARK the text stays as it is."""
    head, mark, rest = text.partition(MARK)
    if not mark:
        return text
    line = rest.partition("\n")[0]
    parts = "".join(_part(number, device, device in ipv6) for number, device in enumerate(devices))
    return f"{head}{mark}{line}\n\n{_routes(devices)}{parts}"


def _routes(devices: list[str]) -> str:
    names, last = ", ".join(devices), len(devices)
    return f"""forward -> rt :: LinuxIPLookup({names}, FORWARDING true, CHUNKS $CHUNKS);
forward6 -> rt6 :: LinuxIP6Lookup({names}, FORWARDING true, CHUNKS $CHUNKS6);
rt[{last}], rt6[{last}] -> Unstrip(14) -> linux;
"""


def _part(number: int, device: str, ipv6: bool) -> str:
    only4 = "" if ipv6 else f"only4_{number} :: Classifier(12/86dd, -); only4_{number}[0] -> linux; only4_{number}[1]\n\t-> "
    return f"""
in{number} :: FromDevice({device}) -> {only4}arrival;
rt[{number}] -> departure{number} :: Departure({device}) -> Queue -> out{number} :: ToDevice({device});
rt6[{number}] -> [1] departure{number};
departure{number}[1] -> linux;
"""
