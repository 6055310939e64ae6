import fc from 'fast-check';

import { addressKey } from './rate-limit.js';

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
  ])('turns %s into %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  test('does not throw for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(':', '.', '%', 'f', '0', '9', ' ') }), (text) => {
        expect(typeof addressKey(text)).toBe('string');
      }),
    );
  });
});
