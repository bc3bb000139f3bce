from ._digest import DigestElement


class IPsecAuthSHA1(DigestElement):
    """puts an SHA1 digest after packets, or checks it

    The digest is the first 12 bytes of SHA1 over the packet. Without a key, it detects errors, but anybody can forge it. For
    security, use IPsecAuthHMACSHA1.

    Example: FromDevice(eth0) -> IPsecAuthSHA1(0) -> Queue -> ToDevice(eth1);
    """
