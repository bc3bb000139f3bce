// lib/esp.click: the two directions of an IPsec tunnel, to require(library).
//
// ESP as RFC 4303 and all other implementations have it: IP packets are encrypted by AES in cipher block chaining mode
// (RFC 3602), and the result is authenticated by HMAC-SHA1-96 (RFC 2404).  Keys are hexadecimal digits: 32, 48 or 64 for
// AES, 40 for the digest.
//
//   ESPOut(SPI, CIPHER_KEY, DIGEST_KEY)    IP packets in, ESP packets out, for an IP header of protocol 50
//   ESPIn(SPI, CIPHER_KEY, DIGEST_KEY)     the reverse; what is forged, replayed or damaged is dropped
//   Seal(CIPHER_KEY, DIGEST_KEY)           the part that takes the time: encrypts and authenticates what has ESP's header
//   Unseal(CIPHER_KEY, DIGEST_KEY)         the reverse
//   ESPOut3DES, ESPIn3DES                  the same as the first two by 3DES (RFC 2451), whose keys have 48 digits

elementclass Seal { $cipher, $digest |
	input -> IPsecAES(1, $cipher, IGNORE 0, BLOCK 16) -> IPsecAuthHMACSHA1(0, $digest) -> output;
}

elementclass Unseal { $cipher, $digest |
	input -> IPsecAuthHMACSHA1(1, $digest) -> IPsecAES(0, $cipher, IGNORE 0, BLOCK 16) -> output;
}

elementclass ESPOut { $spi, $cipher, $digest |
	input -> IPsecESPEncap($spi, 16, NEXT_HEADER ipip) -> Seal($cipher, $digest) -> output;
}

elementclass ESPIn { $spi, $cipher, $digest |
	input -> Unseal($cipher, $digest) -> IPsecESPUnencap(SPI $spi, BLOCK 16, NEXT_HEADER ipip) -> output;
}

elementclass ESPOut3DES { $spi, $cipher, $digest |
	input -> IPsecESPEncap($spi, 8, NEXT_HEADER ipip)
		-> IPsecDES(1, $cipher, IGNORE 0)
		-> IPsecAuthHMACSHA1(0, $digest)
		-> output;
}

elementclass ESPIn3DES { $spi, $cipher, $digest |
	input -> IPsecAuthHMACSHA1(1, $digest)
		-> IPsecDES(0, $cipher, IGNORE 0)
		-> IPsecESPUnencap(SPI $spi, BLOCK 8, NEXT_HEADER ipip)
		-> output;
}
