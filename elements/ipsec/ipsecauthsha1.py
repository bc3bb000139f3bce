from ._digest import DigestElement


class IPsecAuthSHA1(DigestElement):
    """puts an SHA1 digest after packets, or checks it

    The digest is the first 12 bytes of SHA1 over the packet. There is no key in it: it detects errors, but anybody can
    make it. IPsecAuthHMACSHA1 is the one for security.

    Ports: one input, one or two outputs.

    Example:

        FromDevice(eth0) -> IPsecAuthSHA1(0) -> Queue -> ToDevice(eth1);
    """
