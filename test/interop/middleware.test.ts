import { useInProcess } from '../support/own-app.js';
import { useStock } from '../support/stock.js';
import { StampsModule } from './middleware.module.js';

interface Seen {
  readonly status: number;
  readonly body: unknown;
  readonly trail: string | null;
}

describe('middleware', () => {
  const app = useInProcess({}, undefined, [StampsModule]);
  const stock = useStock([StampsModule]);
  let headers: Record<string, string>;

  beforeAll(async () => {
    const { email, password } = await app.user('admin');
    headers = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` };
  });

  async function send(baseUrl: string, method: string, path: string, more = {}): Promise<Seen> {
    const body = method === 'POST' ? '{"a":1}' : undefined;
    const type = body && { 'content-type': 'application/json' };
    const response = await fetch(baseUrl + path, { method, body, headers: { ...headers, ...type, ...more } });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const shown = isJson ? (JSON.parse(text) as unknown) : text;
    return { status: response.status, body: shown, trail: response.headers.get('x-trail') };
  }

  it.each([
    ['GET', '/api/v1/stamps', 'everywhere class'],
    ['POST', '/api/v1/stamps', 'everywhere class async'],
    ['GET', '/api/v1/stamps/excluded', 'everywhere word'],
    ['GET', '/api/v1/stamps/7?a=b', 'everywhere class word'],
    ['GET', '/labels', 'everywhere async'],
    ['GET', '/api/v1/stamps/failing?end', 'everywhere class'],
  ])('runs on %s %s like in stock NestJS', async (method, path, trail) => {
    const compared = { 'x-compared': 'yes' };
    const seen = await send(app.baseUrl, method, path, compared);
    expect(seen).toEqual(await send(stock(), method, path, compared));
    expect(seen.trail).toBe(trail);
  });

  it.each([
    ['forbid', 403, 'Not on Sundays.'],
    ['next', 403, 'Not on Mondays.'],
    ['fail', 500, expect.stringContaining('has been logged')],
  ])('is answered in the envelope of errors if it throws: %s', async (how, status, message) => {
    const path = `/api/v1/stamps/failing?${how}`;
    const seen = await send(app.baseUrl, 'GET', path);
    expect(seen).toMatchObject({ status, body: { error: { status, message } } });
    expect((await send(stock(), 'GET', path)).status).toBe(status);
  });

  it('has its errors logged', async () => {
    await send(app.baseUrl, 'GET', '/api/v1/stamps/failing?fail');
    expect(JSON.stringify(app.log)).toContain('a bug of a middleware');
  });

  it('sees the path that serves a request, even if Accept names the version', async () => {
    const seen = await send(app.baseUrl, 'GET', '/api/stamps/7');
    expect(seen).toMatchObject({ status: 200, trail: 'everywhere class word' });
  });

  it('keeps a context per request with nestjs-cls', async () => {
    const ask = (method: string): Promise<Seen> => send(app.baseUrl, method, '/api/v1/stamps');
    const seen = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(i % 2 ? 'GET' : 'POST')));
    const ids = seen.map(({ body }) => (body as { id: string }).id);
    expect(ids.every((id) => typeof id === 'string')).toBe(true);
    expect(new Set(ids).size).toBe(20);
  });

  it('runs before authentication, and for paths that do not exist', async () => {
    const anonymous = await fetch(`${app.baseUrl}/api/v1/stamps`);
    expect([anonymous.status, anonymous.headers.get('x-trail')]).toEqual([401, 'everywhere class']);
    expect(await send(app.baseUrl, 'GET', '/nowhere')).toMatchObject({ status: 404, trail: 'everywhere' });
    expect((await send(stock(), 'GET', '/nowhere')).trail).toBe('everywhere');
    expect((await send(app.baseUrl, 'GET', '/health/live')).trail).toBe('everywhere');
  });
});
