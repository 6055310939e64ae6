import { serversOf } from './postgres-servers.js';
import { postgresUrl } from './parsers.js';

describe('servers of a URL', () => {
  test.each([
    ['postgres://u:p@a:5432/app', ['postgres://u:p@a:5432/app']],
    ['postgres://u:p@a:5432,b/app', ['postgres://u:p@a:5432/app', 'postgres://u:p@b/app']],
    [
      'postgresql://a,b:1/app?target_session_attrs=read-write&sslmode=require',
      ['postgresql://a/app?sslmode=require', 'postgresql://b:1/app?sslmode=require'],
    ],
    [
      'postgres://a,[::1]:2/app?sslmode=require&target_session_attrs=read-write',
      ['postgres://a/app?sslmode=require', 'postgres://[::1]:2/app?sslmode=require'],
    ],
    ['redis://a/0', ['redis://a/0']],
  ])('%s', (url, servers) => {
    expect(serversOf(url)).toEqual(servers);
    if (!url.startsWith('redis')) expect(postgresUrl(url)).toBe(url);
  });

  test('one of which is none is a fault', () => {
    expect(() => postgresUrl('postgres://a,b:port/app')).toThrow('postgres://user');
  });
});
