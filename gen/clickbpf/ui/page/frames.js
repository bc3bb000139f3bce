// Frames as a starting point: a ping, a UDP packet or an ARP request, made from a few addresses.

function bytes(text, separator, base, count) {
  const found = text.trim().split(separator).map((part) => parseInt(part, base));
  if (found.length !== count || found.some((each) => !(each >= 0 && each <= 255))) throw new Error(`'${text}' is no ${count === 4 ? "IP" : "Ethernet"} address`);
  return found;
}

const short = (value) => [value >> 8, value & 255];

// RFC 1071.
function checksum(data) {
  let sum = 0;
  for (let at = 0; at < data.length; at += 2) sum += (data[at] << 8) | (data[at + 1] || 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return short(~sum & 0xffff);
}

function ip(protocol, source, target, payload) {
  const head = [0x45, 0, ...short(20 + payload.length), 0, 1, 0, 0, 64, protocol, 0, 0, ...source, ...target];
  head.splice(10, 2, ...checksum(head));
  return [...head, ...payload];
}

const DATA = [..."clickbpf"].map((letter) => letter.charCodeAt(0));

export const KINDS = {
  // RFC 792
  ping(to, source, target) {
    const echo = [8, 0, 0, 0, 0, 1, 0, 1, ...DATA];
    echo.splice(2, 2, ...checksum(echo));
    return [...to, ...OWN, 8, 0, ...ip(1, source, target, echo)];
  },
  // RFC 768
  UDP(to, source, target) {
    const body = [...short(4000), ...short(7), ...short(8 + DATA.length), 0, 0, ...DATA];
    body.splice(6, 2, ...checksum([...source, ...target, 0, 17, ...short(body.length), ...body]));
    return [...to, ...OWN, 8, 0, ...ip(17, source, target, body)];
  },
  // RFC 826
  "ARP request": (to, source, target) =>
    [...Array(6).fill(255), ...OWN, 8, 6, 0, 1, 8, 0, 6, 4, 0, 1, ...OWN, ...source, ...Array(6).fill(0), ...target],
};
// The sender's Ethernet address.
const OWN = [2, 0, 0, 0, 0, 0x99];

// The frame as hexadecimal digits, sixteen bytes a line; throws an Error for an invalid address.
export function frame(kind, to, source, target) {
  const made = KINDS[kind](bytes(to, ":", 16, 6), bytes(source, ".", 10, 4), bytes(target, ".", 10, 4));
  const digits = made.map((each) => each.toString(16).padStart(2, "0"));
  return digits.map((each, at) => each + (at % 16 === 15 ? "\n" : " ")).join("").trim();
}
