/**
 * The key that an address is counted by: an IPv4 address itself, the /64 of an IPv6 address, all of which one customer
 * has, and the IPv4 address of an IPv4-mapped one.
 */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return dotted(groups[6], groups[7]);
  return groups.slice(0, 4).join(':');
}

/** The eight groups of an IPv6 address, without leading zeros and zone, whichever way it is written (RFC 4291 §2.2). */
function groupsOf(address: string): string[] {
  const hexadecimal = address
    .split('%', 1)[0]
    ?.toLowerCase()
    .replace(
      /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
      (_, a: string, b: string, c: string, d: string) => `${joined(a, b)}:${joined(c, d)}`,
    );
  const [head = '', tail] = hexadecimal?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}

const joined = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16);

function dotted(...groups: (string | undefined)[]): string {
  return groups
    .map((group = '0') => parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}
