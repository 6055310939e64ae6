import { createServer, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';

import { PreparedHeaders, PreparedResponse } from './prepared-response.js';

const FIXED = new PreparedHeaders({
  vary: 'Accept',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
});

let server: Server;
let answer: (response: PreparedResponse) => void;

/** The headers of a response, as they came: a repeated one as often as it was sent. */
async function headersAfter(act: (response: PreparedResponse) => void): Promise<Record<string, string>> {
  answer = (response) => {
    response.prepare(FIXED);
    act(response);
  };
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const ofNode = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);
  return Object.fromEntries([...headers].filter(([name]) => !ofNode.has(name)));
}

beforeAll(async () => {
  server = createServer(
    { ServerResponse: PreparedResponse as unknown as typeof ServerResponse },
    (_request, response) => {
      answer(response as PreparedResponse);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => server.close());

describe('headers prepared for a response', () => {
  it('are sent with what the response sets itself', async () => {
    const headers = await headersAfter((response) => response.writeHead(200, { etag: '"1"' }).end('{}'));
    expect(headers).toEqual({ ...FIXED.values, etag: '"1"' });
  });

  it.each<[string, (response: PreparedResponse) => void]>([
    ['an object', (response) => response.writeHead(200, { 'X-Frame-Options': 'SAMEORIGIN' }).end()],
    ['names and values', (response) => response.writeHead(200, ['X-Frame-Options', 'SAMEORIGIN']).end()],
    ['pairs', (response) => response.writeHead(200, [['X-Frame-Options', 'SAMEORIGIN']] as never).end()],
    ['setHeader()', (response) => response.setHeader('X-Frame-Options', 'SAMEORIGIN').end()],
    [
      'setHeader() before writeHead()',
      (response) =>
        response.setHeader('x-other', '1').writeHead(200, { 'x-frame-options': 'SAMEORIGIN' }).end(),
    ],
  ])('are replaced by %s, not repeated', async (_, act) => {
    const headers = await headersAfter(act);
    expect(headers).toMatchObject({ ...FIXED.values, 'x-frame-options': 'SAMEORIGIN' });
  });

  it('can be read, added to and removed', async () => {
    const headers = await headersAfter((response) => {
      expect(response.getHeader('Vary')).toBe('Accept');
      expect(response.hasHeader('vary')).toBe(true);
      expect(response.getHeaders()).toEqual(FIXED.values);
      response.appendHeader('Vary', 'Origin');
      response.removeHeader('X-Frame-Options');
      expect(response.hasHeader('x-frame-options')).toBe(false);
      expect(response.getHeaderNames().toSorted()).toEqual(['referrer-policy', 'vary']);
      response.end();
    });
    expect(headers).toEqual({ vary: 'Accept, Origin', 'referrer-policy': 'no-referrer' });
  });

  it('must be such as can be sent', () => {
    expect(() => new PreparedHeaders({ 'x-name': 'a\r\nset-cookie: b=c' })).toThrow(/Invalid character/);
    expect(() => new PreparedHeaders({ 'x name': 'a' })).toThrow(/valid HTTP token/);
  });
});
