import fc from 'fast-check';

import { addressKey } from './address-key.js';

describe('addressKey', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['0000:0000:0000:0000:0000:ffff:c000:0201', '192.0.2.1'],
    ['::1', '0:0:0:0'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:DB8::1', '2001:db8:0:0'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8:0:0'],
    ['2001:db8:0:1::1', '2001:db8:0:1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['::2:3:4:5:6:7:8', '0:2:3:4'],
    ['::2:3:4:5:192.0.2.1', '0:0:2:3'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['fe80:0:0:1::%1', 'fe80:0:0:1'],
  ])('%s: %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  const group = fc.integer({ min: 0, max: 0xffff });
  const prefix = fc.tuple(group, group, group, group).filter((groups) => groups.some((value) => value > 0));
  const host = fc.tuple(group, group, group, group);

  /** Ways of writing one address: in full, with leading zeros, in capitals, with its first run of zeros left out. */
  const spellings = (groups: readonly number[]): string[] => {
    const plain = groups.map((value) => value.toString(16)).join(':');
    const padded = groups.map((value) => value.toString(16).padStart(4, '0')).join(':');
    const compressed = plain.replace(/(^|:)0(:0)*(:|$)/, '::');
    return [plain, padded, padded.toUpperCase(), compressed, `${plain}%eth0`];
  };

  test('addresses of one /64 have one key, however they are written', () => {
    fc.assert(
      fc.property(prefix, host, host, (network, one, other) => {
        const keys = [...spellings([...network, ...one]), ...spellings([...network, ...other])].map(
          addressKey,
        );
        expect(new Set(keys)).toEqual(new Set([network.map((value) => value.toString(16)).join(':')]));
      }),
    );
  });

  test('an IPv4 address and its mapped forms have one key', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hexadecimal = `::ffff:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        expect(addressKey(address)).toBe(address);
        expect(addressKey(`::ffff:${address}`)).toBe(address);
        expect(addressKey(hexadecimal)).toBe(address);
      }),
    );
  });

  test('no text makes it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(':', '.', '%', 'f', '0', '9', ' ') }), (text) => {
        expect(typeof addressKey(text)).toBe('string');
      }),
    );
  });
});
