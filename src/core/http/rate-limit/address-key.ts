import { isIPv6 } from 'node:net';

/**
 * The key that an address is counted by: an IPv4 address itself, the /64 of an IPv6 address, all of which one customer
 * has, and the IPv4 address of an IPv4-mapped one.
 */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address;
  // The one spelling of an address (RFC 5952), which URLs have; a zone is no part of it.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0] ?? ''}]`);
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostname) ?? [];
  if (high !== undefined && low !== undefined) return `${dotted(high)}.${dotted(low)}`;
  const [head, tail] = hostname.slice(1, -1).split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

const groupsOf = (part = ''): string[] => (part === '' ? [] : part.split(':'));

/** Two bytes in hexadecimal as an IPv4 address has them. */
function dotted(group: string): string {
  const value = parseInt(group, 16);
  return `${value >> 8}.${value & 255}`;
}
