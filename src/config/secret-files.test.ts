import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { withSecretFiles } from './secret-files.js';

let folder: string;
const file = (text: string): string => {
  const path = join(folder, 'secret');
  writeFileSync(path, text);
  return path;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-secrets-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('O4 secrets from files', () => {
  test.each(['DATABASE_URL', 'REDIS_URL', 'JWT_SECRET', 'ADMIN_PASSWORD'])('%s has a twin', (name) => {
    const faults: string[] = [];
    expect(withSecretFiles({ [`${name}_FILE`]: file('of the file\n') }, faults)[name]).toBe('of the file');
    expect(faults).toEqual([]);
  });

  test('only the last line break does not belong to the secret', () => {
    expect(withSecretFiles({ ADMIN_PASSWORD_FILE: file(' a \n\r\n') }, [])['ADMIN_PASSWORD']).toBe(' a \n');
  });

  test('a blank twin counts as unset', () => {
    expect(withSecretFiles({ JWT_SECRET_FILE: ' ', JWT_SECRET: 'x' }, [])['JWT_SECRET']).toBe('x');
  });

  test('both are a fault that does not show the secret', () => {
    const faults: string[] = [];
    withSecretFiles({ JWT_SECRET_FILE: file('x'), JWT_SECRET: 'hidden' }, faults);
    expect(faults).toEqual(['JWT_SECRET_FILE: set beside JWT_SECRET, takes one of the two']);
  });

  test('a file that cannot be read is a fault', () => {
    const faults: string[] = [];
    withSecretFiles({ JWT_SECRET_FILE: join(folder, 'nowhere') }, faults);
    expect(faults).toEqual([
      expect.stringMatching(/^JWT_SECRET_FILE: got ".*nowhere", takes a file that can be read/),
    ]);
  });

  test('other variables have none', () => {
    expect(withSecretFiles({ HOST_FILE: file('x') }, [])['HOST']).toBeUndefined();
  });
});
