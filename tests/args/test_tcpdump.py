"""Whatever check_filter() lets pass, libpcap asks no resolver about."""

import os
import subprocess
import sys

import pytest

from clickbpf.args.error import ArgError
from clickbpf.args.tcpdump import check_filter

#: In place of the C library's: who asks for a name, other than an address in text, ends the process with status 3.
WATCHED = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <stdio.h>
#include <unistd.h>

static void asked(const char *function, const char *name)
{
	dprintf(2, "%s(%s)\n", function, name);
	_exit(3);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found)
{
	int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");

	if (node && inet_pton(AF_INET6, node, &(struct in6_addr){}) != 1)
		asked("getaddrinfo", node);
	return next(node, service, hints, found);
}

struct hostent *gethostbyname(const char *name) { asked("gethostbyname", name); return 0; }
struct netent *getnetbyname(const char *name) { asked("getnetbyname", name); return 0; }
int getnetbyname_r(const char *name, struct netent *a, char *b, size_t c, struct netent **d, int *e)
{ asked("getnetbyname_r", name); return 0; }
int ether_hostton(const char *name, struct ether_addr *a) { asked("ether_hostton", name); return 0; }
"""

#: Compiles filters that are made of words; prints how many libpcap took.
MANY = r"""
import ctypes, random
from clickbpf.args.error import ArgError
from clickbpf.args.tcpdump import _CONNECTING, _NAMING, _OTHERS, check_filter

WORDS = sorted(_OTHERS | _NAMING) + sorted(_CONNECTING) * 20 + ["(", ")", "!", "&&", "||"] * 10
WORDS += ["host", "src", "net", "port", "ether host"] * 10
WORDS += ["10.0.0.1", "10.0", "fe80::1", "02:00:00:00:00:01", "0200.0000.0001", "80", "0x80", "$05", "ssh", "21-23", "beacon"] * 8
WORDS += ["nobody", "a.b", "\\tcp", "\\nobody", "1.2.3.4.5", "1:2:3", "a:b::c:x", "::", "x_y"] * 3
WORDS += ["tcp[13] & 2 != 0", "ether[0:2]", "= 5", "/", "-", ":"] * 3
TERMS = ["port ssh", "src port 80", "src 10.0.0.1", "dst net 10", "host fe80::1", "ether host 02:00:00:00:00:01",
         "ip proto \\tcp", "tcp", "ip6", "len > 5", "vlan 5", "llc i", "broadcast", "tcp[13] & 2 != 0", "portrange 21-23",
         "proto ospf", "ether proto 0x9000", "5 > 3",
         "nobody", "ssh", "80", "10.0.0.2", "or", "src or dst ssh", "net nobody", "\\tcp"]
JOINS = [" and ", " or ", " and not ", " or (", ") and ", " and src ", " or dst ", " and tcp "]
pcap = ctypes.CDLL("libpcap.so.0.8")
pcap.pcap_open_dead.restype = ctypes.c_void_p
dead, rows, taken, chance = ctypes.c_void_p(pcap.pcap_open_dead(1, 65535)), ctypes.create_string_buffer(16), 0, random.Random(1)
for number in range(20000):
    if number % 2:
        text = " ".join(chance.choices(WORDS, k=chance.randint(1, 8)))
    else:
        text = chance.choice(TERMS) + "".join(chance.choice(JOINS) + chance.choice(TERMS) for _ in range(chance.randint(0, 3)))
    if CHECKED:
        try:
            check_filter(text)
        except ArgError:
            continue
    taken += pcap.pcap_compile(dead, rows, text.encode(), 0, 0xFFFFFFFF) == 0
print(taken)
"""


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """watched(text) runs Python that ends with status 3 if it asks for a name."""
    folder = tmp_path_factory.mktemp("watched")
    (folder / "watched.c").write_text(WATCHED)
    library = folder / "watched.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, folder / "watched.c"], check=True)
    env = {**os.environ, "LD_PRELOAD": str(library)}
    return lambda text: subprocess.run([sys.executable, "-c", text], env=env, capture_output=True, text=True)


def test_libpcap_asks_nobody(watched):
    done = watched(f"CHECKED = True\n{MANY}")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 500


def test_without_the_check_it_asks(watched):
    done = watched(f"CHECKED = False\n{MANY}")
    assert done.returncode == 3 and "(" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "tcp port 80", "host 10.0.0.1 or net 10", "ip6 host fe80::1 and port http or ssh", "ether host 02:00:00:00:00:01",
        "tcp[tcpflags] & (tcp-syn|tcp-fin) != 0", r"ip proto \tcp", "net 2001:db8::/32", "src net 192.168 mask 255.255",
        "portrange ftp-ssh", "ip[2:2] - ((ip[0]&0xf)<<2) > 0", "port ssh or (http and not 9)",
    ],
)  # fmt: skip
def test_what_passes(text):
    check_filter(text)


@pytest.mark.parametrize(
    "text, name",
    [
        ("host www.example.com", "www.example.com"), ("nobody", "nobody"), ("port ssh and src nobody", "nobody"), (r"host \tcp", "tcp"),
        ("net loopback", "loopback"), ("ether host router", "router"), ("host 1.2.3.4.5", "1.2.3.4.5"), ("gateway gw", "gw"),
        ("port 22 and not (tcp or www-1)", "www-1"), ("HOST 10.0.0.1", "HOST"),
    ],
)  # fmt: skip
def test_names_are_refused(text, name):
    with pytest.raises(ArgError, match=f"the filter has the name '{name}', and names aren't looked up") as refused:
        check_filter(text)
    assert "write the address in its place" in refused.value.hint
