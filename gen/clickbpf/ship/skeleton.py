"""A C header with which any program can load a router's kernel path: libbpf's skeleton, with additions. bpftool makes the skeleton: the

object as a string, and a struct with its maps, programs, links and global variables. The skeleton uses the variables' types without
defining them, so this module adds definitions. It also adds NAME__start(), for the other tasks of clickbpf's loader: it tells programs the
addresses and indices of their devices and their tail call targets, and attaches them. All names begin with the router's.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.load.kernel.objects import Object
from clickbpf.objects.ctext import c_comment
from clickbpf.objects.manifest import Manifest
from clickbpf.ship.limits import makes_no_devices

#: The roles of maps with values that other programs may want to read.
SHOWN = ("state", "drops")
#: Types that <linux/types.h> (included by libbpf's header) and <stdbool.h> define.
_KNOWN = re.compile(r"^typedef .*\b(?:__\w+|bool);\n+", re.MULTILINE)
_DEFINED = re.compile(r"^(?:struct|union|enum) (\w+) \{", re.MULTILINE)
_NAMED = re.compile(r"\b(struct|union|enum) (\w+)")
#: The parts of the skeleton: the text before its types, the types, the text after them, the end of the include guard.
_PARTS = re.compile(r"(.*#include <bpf/libbpf\.h>\n)(.*?\n)(#ifdef __cplusplus\n.*)(#endif /\*[^\n]*\n)", re.DOTALL)
#: The headers that the functions below need besides libbpf's.
_HEADERS = "".join(f"#include <{each}.h>\n" for each in ("errno", "net/if", "string", "sys/ioctl", "sys/socket", "time", "unistd"))


def header(content: bytes, manifest: Manifest, name: str) -> str:
    """The header's text; `name` is a C identifier. ClickError if there is no bpftool, or the router has devices of its own."""
    makes_no_devices(manifest, "a skeleton")
    with Object(content) as opened:
        types = _KNOWN.sub("", opened.definitions(each.name for each in manifest.maps if each.role in SHOWN))
    own = set(_DEFINED.findall(types))
    parts = _PARTS.fullmatch(_skeleton(content, name))
    if parts is None:
        raise ClickError("bpftool makes skeletons of a form that is not known", hint="bpftool 7.1 is what is tested")
    begin, declared, functions, end = parts.groups()
    types = _NAMED.sub(lambda found: f"{found[1]} {name}__{found[2]}" if found[2] in own else found[0], types + declared)
    return "".join([begin, _HEADERS, "\n", types, functions, "\n".join(_start(manifest, name, declared)), "\n\n", end])


def _skeleton(content: bytes, name: str) -> str:
    """bpftool's skeleton of the object."""
    tool = shutil.which("bpftool") or shutil.which("bpftool", path="/usr/sbin:/sbin")
    if tool is None:
        raise ClickError("bpftool, which makes skeletons, isn't there", hint="apt-get install bpftool")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "router.o"
        file.write_bytes(content)
        done = subprocess.run([tool, "gen", "skeleton", str(file), "name", name], capture_output=True, text=True)
    if done.returncode:
        raise ClickError(f"bpftool can't make a skeleton: {done.stderr.strip()}")
    return done.stdout


def _start(manifest: Manifest, name: str, declared: str) -> Iterator[str]:
    """The lines of NAME__start() and of the functions that it needs; `declared` has the programs' variables."""
    has_addresses, has_tai = "device_mac" in declared, "tai_ahead" in declared
    yield f"#define {name}__DEVICES {len(manifest.devices)}"
    yield from _address(name) if has_addresses else ()
    yield from _set(name)
    yield ""
    yield "/* Load the router and attach it to devices, by the names that they have here; in the configuration they are, in this order: */"
    yield c_comment(", ".join(manifest.devices))
    yield f"/* The result is 0, or a negative number of <errno.h> with nothing attached. {name}__detach() and {name}__destroy() detach. */"
    yield f"static inline int {name}__start(struct {name} *obj, const char *const devices[{name}__DEVICES])"
    yield "{"
    yield f"\tint index[{name}__DEVICES], err = 0;"
    if has_tai:
        yield "\tstruct timespec tai, utc;"
        yield ""
        yield "\tclock_gettime(CLOCK_TAI, &tai);"
        yield "\tclock_gettime(CLOCK_REALTIME, &utc);"
        yield "\tobj->data_clock->tai_ahead = (tai.tv_sec - utc.tv_sec + (tai.tv_nsec > utc.tv_nsec)) * 1000000000ULL;"
    yield ""
    yield f"\tfor (int n = 0; n < {name}__DEVICES; n++) {{"
    yield "\t\tindex[n] = if_nametoindex(devices[n]);"
    yield "\t\tif (!index[n])"
    yield "\t\t\treturn -errno;"
    if has_addresses:
        yield f"\t\terr = {name}__address(devices[n], &obj->rodata->device_mac[n]);"
        yield "\t\tif (err)"
        yield "\t\t\treturn err;"
    yield "\t}"
    yield f"\terr = {name}__load(obj);"
    for action in _links(manifest, name):
        yield "\tif (!err)"
        yield f"\t\terr = {action};"
    yield "\tif (err)"
    yield f"\t\t{name}__detach(obj);"
    yield "\treturn err;"
    yield "}"


def _links(manifest: Manifest, name: str) -> Iterator[str]:
    """Calls that put devices and programs into the programs' maps, and then attach the devices' programs; each returns an error or 0."""
    for entry in manifest.of_role("tx"):
        for number in range(len(manifest.devices)):
            yield f"{name}__set(obj->maps.{entry.name}, {number}, index[{number}])"
    for entry, devices in zip(manifest.of_role("copies"), manifest.copy_sets):
        for place, number in enumerate(devices):
            yield f"{name}__set(obj->maps.{entry.name}, {place}, index[{number}])"
    for program in manifest.programs:
        if program.jump is not None:
            yield f"{name}__set(obj->maps.jumps, {program.jump}, bpf_program__fd(obj->progs.{program.name}))"
    for program in manifest.programs:
        if program.device is not None:
            number = manifest.devices.index(program.device)
            attached = f"(obj->links.{program.name} = bpf_program__attach_xdp(obj->progs.{program.name}, index[{number}]))"
            yield f"{attached} ? 0 : -errno"


def _set(name: str) -> Iterator[str]:
    yield ""
    yield f"static inline int {name}__set(struct bpf_map *map, __u32 key, __u32 value)"
    yield "{"
    yield "\treturn bpf_map__update_elem(map, &key, sizeof(key), &value, sizeof(value), 0);"
    yield "}"


def _address(name: str) -> Iterator[str]:
    yield ""
    yield f"static inline int {name}__address(const char *device, __u64 *address)"
    yield "{"
    yield "\tint asked = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), err = 0;"
    yield "\tstruct ifreq request = {};"
    yield ""
    yield "\tif (asked < 0)"
    yield "\t\treturn -errno;"
    yield "\tmemcpy(request.ifr_name, device, strnlen(device, sizeof(request.ifr_name) - 1));"
    yield "\tif (ioctl(asked, SIOCGIFHWADDR, &request))"
    yield "\t\terr = -errno;"
    yield "\tclose(asked);"
    yield "\tmemcpy(address, request.ifr_hwaddr.sa_data, 6);"
    yield "\treturn err;"
    yield "}"
