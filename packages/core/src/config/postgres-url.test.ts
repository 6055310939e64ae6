import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readPostgresUrl } from './postgres-url.js';

const SERVER = 'postgres://app:p%40ss@db.example.com:6432/shop';

describe('the URL of a PostgreSQL server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-url-'));
  const file = join(folder, 'authority.pem');
  writeFileSync(file, 'PEM');
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const tlsOf = (query: string): unknown => readPostgresUrl(`${SERVER}?${query}`).ssl;

  it.each(['', '?options=-c%20search_path%3Dshop', '?application_name=x'])(
    'is passed on unchanged without parameters for TLS: %j',
    (query) => {
      expect(readPostgresUrl(SERVER + query)).toEqual({ connectionString: SERVER + query });
    },
  );

  it.each(['require', 'prefer', 'allow', 'no-verify'])('does not verify with sslmode=%s', (mode) => {
    expect(tlsOf(`sslmode=${mode}`)).toEqual({ rejectUnauthorized: false });
  });

  it.each(['require', 'verify-ca'])('verifies only the authority with sslmode=%s and sslrootcert', (mode) => {
    const tls = tlsOf(`sslmode=${mode}&sslrootcert=${file}`);
    expect(tls).toEqual({ ca: 'PEM', checkServerIdentity: expect.any(Function) as unknown });
    const { checkServerIdentity } = tls as { checkServerIdentity: () => unknown };
    expect(checkServerIdentity()).toBeUndefined();
  });

  it.each([
    ['sslmode=verify-full', {}],
    ['sslmode=verify-full&sslrootcert=system', {}],
    ['sslmode=verify-ca', {}],
    [`sslmode=verify-full&sslrootcert=${file}`, { ca: 'PEM' }],
    [`sslrootcert=${file}`, { ca: 'PEM' }],
    [`sslmode=verify-full&sslcert=${file}&sslkey=${file}`, { cert: 'PEM', key: 'PEM' }],
  ])('verifies the authority and the host name with %s', (query, expected) => {
    expect(tlsOf(query)).toEqual(expected);
  });

  it('uses no TLS with sslmode=disable', () => {
    expect(tlsOf('sslmode=disable')).toBe(false);
  });

  it('loses only the parameters for TLS', () => {
    const { connectionString, sslnegotiation } = readPostgresUrl(
      `${SERVER}?sslmode=require&uselibpqcompat=true&sslnegotiation=direct&channel_binding=require`,
    );
    expect([connectionString, sslnegotiation]).toEqual([`${SERVER}?channel_binding=require`, 'direct']);
  });

  it.each([
    ['sslmode=strict', /^a URL whose sslmode is disable, require, verify-ca or verify-full, not "strict"$/],
    ['sslmode=require&sslrootcert=system', /^a URL whose sslmode is verify-full .*, not "require"$/],
    ['sslrootcert=/missing.pem', /^a URL whose sslrootcert is a file that can be read, not ENOENT.*missing/],
    ['sslcert=/missing.pem', /^a URL whose sslcert is a file that can be read, not ENOENT/],
  ])('is refused with %s', (query, message) => {
    expect(() => tlsOf(query)).toThrow(message);
  });
});
