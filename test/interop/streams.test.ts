import { once } from 'node:events';
import { get as httpGet, IncomingMessage } from 'node:http';

import { eventually } from '@plinth/dev/testing';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { useClient } from '../support/app.js';
import { useInProcess } from '../support/own-app.js';
import { failure, news, StreamsModule } from './streams.module.js';

const PERSONAL = 'private, no-cache';

const app = useInProcess({ MAX_IN_FLIGHT: '2' }, undefined, [StreamsModule]);
const viewer = useClient(app, 'viewer');
let credentials: Record<string, string>;

beforeAll(async () => {
  const { email, password } = await app.user('viewer');
  credentials = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` };
});

const path = (name: string): string => `/api/v1/exports/${name}`;
const get = (name: string, accept?: string) => viewer.get(path(name), accept ? { accept } : {});
const errorOf = ({ body }: { body: unknown }): unknown => (body as { error: { code: string } }).error.code;

describe('a response that is not plain JSON', () => {
  it.each([
    ['lamps.csv', 'text/csv; charset=utf-8', 'name,price\nlamp,49.90\n'],
    ['rows', 'text/csv; charset=utf-8', 'n\n1\n2\n3\n'],
    ['file', 'application/pdf', '%PDF-1.7'],
    ['geo', 'application/geo+json', '{"type":"Point","coordinates":[10.7,59.9]}'],
    ['text', 'text/plain; charset=utf-8', 'plain'],
    ['number', 'application/json', '7'],
    ['by-hand', 'application/json', '{"sent":"by hand"}'],
  ])('is sent unchanged: %s', async (name, type, body) => {
    const response = await fetch(app.baseUrl + path(name), { headers: credentials });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      type,
      body,
    ]);
    expect(response.headers.get('cache-control')).toBe(PERSONAL);
  });

  it('has the type that Accept must match, and 406 lists it in JSON', async () => {
    for (const accept of ['text/csv', 'text/*;q=0.5', '*/*', 'application/json, text/csv;q=0.1'])
      expect((await get('lamps.csv', accept)).status).toBe(200);
    const refused = await get('lamps.csv', 'application/json');
    expect([refused.status, errorOf(refused)]).toEqual([406, 'NOT_ACCEPTABLE']);
    expect(refused.text).toContain('text/csv');
    expect((await get('lamps.csv', 'text/*, text/csv;q=0')).status).toBe(406);
  });

  it('can have one of several types, selected by Accept', async () => {
    expect((await get('either')).body).toEqual([{ n: 1 }, { n: 2 }]);
    const csv = await get('either', 'text/csv');
    expect([csv.headers.get('content-type'), csv.text]).toEqual(['text/csv; charset=utf-8', 'n\n1\n2\n']);
    const vendor = await get('either', `application/vnd.${PRODUCT.slug}.v1+json`);
    expect(vendor.headers.get('content-type')).toBe('application/json');
    // NestJS guesses that the generator yields text/plain.
    expect((await get('lines', 'text/*')).headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });

  it('is not checked against Accept if the route declares no type', async () => {
    const headers = { ...credentials, accept: 'text/csv' };
    const response = await fetch(app.baseUrl + path('undeclared'), { headers });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'n\n1\n',
    ]);
  });

  it.each([
    ['a.pdf', 'application/pdf'],
    ['b.jpg', 'image/jpeg'],
    ['c.txt', 'text/plain; charset=utf-8'],
    ['d.txt', 'text/plain; charset=iso-8859-1'],
    // Without a type of its own, the file has the type that `Accept` prefers.
    ['unknown', 'application/pdf'],
  ])('is a file of its own type, on a route with several types: %s', async (name, type) => {
    for (const answer of [await get(`scans/${name}`), await viewer.head(path(`scans/${name}`))])
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  });

  it('is refused as a fault of the service if it is a file of a type that its route does not declare', async () => {
    const failed = await get('scans/e.png');
    expect([failed.status, errorOf(failed)]).toEqual([500, 'INTERNAL_ERROR']);
    expect(JSON.stringify(app.log)).toContain(
      'ExportsController.scan: the type of the file must be one of application/pdf, image/jpeg, text/plain, which ' +
        '@Produces() declares (got image/png)',
    );
  });

  it('is documented with its type', async () => {
    const document = (await (await fetch(`${app.baseUrl}/docs/openapi.json`)).json()) as {
      paths: Record<string, { get: { responses: Record<string, { content: object }> } }>;
    };
    const contentOf = (name: string) => document.paths[path(name)]!.get.responses['200']!.content;
    expect(contentOf('lamps.csv')).toEqual({ 'text/csv': { schema: { type: 'string' } } });
    expect(Object.keys(contentOf('either'))).toEqual(['application/json', 'text/csv']);
    expect(Object.keys(contentOf('ticks'))).toEqual(['text/event-stream']);
  });

  it('fails in the envelope of errors if its stream fails at once', async () => {
    const response = await fetch(app.baseUrl + path('broken'), { headers: credentials });
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).not.toContain('/srv/secret');
  });

  describe('that fails after its headers have been sent', () => {
    const linesOf = (id: string): Record<string, unknown>[] =>
      app.log.filter(({ requestId }) => requestId === id);
    const open = async (id: string, signal?: AbortSignal): Promise<Response> => {
      const headers = { ...credentials, 'x-request-id': id };
      const response = await fetch(app.baseUrl + path('broken-later'), { headers, signal: signal ?? null });
      await eventually(() => Promise.resolve(failure.observed), true, 10_000);
      return response;
    };

    it('is logged as an error with the id of its request, not as a success', async () => {
      const response = await open('broken-later');
      failure.next(null);
      await expect(response.text()).rejects.toThrow();
      await eventually(() => Promise.resolve(linesOf('broken-later').length), 2, 10_000);
      expect([response.status, ...linesOf('broken-later')]).toEqual([
        200,
        expect.objectContaining({
          level: 50,
          error: expect.objectContaining({ message: 'the file /srv/secret is gone' }),
        }),
        expect.objectContaining({ level: 30, status: 500 }),
      ]);
    });

    it('is not logged as an error if the client has left', async () => {
      const left = new AbortController();
      await open('left', left.signal);
      left.abort();
      await eventually(() => Promise.resolve(linesOf('left').length), 1, 10_000);
      failure.next(null);
      await get('text');
      expect(linesOf('left')).toEqual([expect.objectContaining({ level: 30, status: 200 })]);
    });
  });

  it('has no body for HEAD', async () => {
    for (const name of ['lamps.csv', 'rows', 'file', 'ticks', 'news']) {
      const { status, text } = await viewer.head(path(name));
      expect([name, status, text]).toEqual([name, 200, '']);
    }
  });
});

describe("NestJS's decorators of responses", () => {
  it('set the status, headers and caching', async () => {
    expect((await get('nothing')).status).toBe(204);
    const editor = await app.as('editor');
    const accepted = await editor.post(path('accepted'), undefined);
    expect([accepted.status, accepted.headers.get('x-ratelimit-reset')]).toEqual([202, '5']);
    const elsewhere = await fetch(app.baseUrl + path('elsewhere'), {
      headers: credentials,
      redirect: 'manual',
    });
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([307, path('text')]);
    const passed = await fetch(app.baseUrl + path('passed'), { headers: credentials });
    expect([passed.status, await passed.json()]).toEqual([203, { passed: true }]);
  });

  it.each([
    ['number', PERSONAL],
    ['nothing', PERSONAL],
    ['elsewhere', PERSONAL],
    ['by-hand', PERSONAL],
    ['passed', PERSONAL],
    ['kept', PERSONAL],
    ['own', 'private, max-age=60'],
  ])('always send Cache-Control: %s', async (name, expected) => {
    const response = await fetch(app.baseUrl + path(name), { headers: credentials, redirect: 'manual' });
    expect(response.headers.get('cache-control')).toBe(expected);
  });
});

describe('@Sse()', () => {
  const open = async (name: string): Promise<IncomingMessage> => {
    const headers = { ...credentials, accept: 'text/event-stream' };
    const [response] = (await once(httpGet(app.baseUrl + path(name), { headers }), 'response')) as [
      IncomingMessage,
    ];
    return response.setEncoding('utf8');
  };
  const read = async (response: IncomingMessage): Promise<string> => {
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return text;
  };

  it('streams events to a client that accepts them', async () => {
    const response = await open('ticks');
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(response.headers['cache-control']).toContain('no-store');
    expect(response.headers['x-request-id']).toBeDefined();
    expect(await read(response)).toContain('id: 1\ndata: {"tick":0}\n\nid: 2\ndata: {"tick":1}');
  });

  it('answers 406 to a client that does not accept them, 401 without credentials, and 500 if it fails at once', async () => {
    expect((await get('ticks', 'application/json')).status).toBe(406);
    expect((await app.anonymous.get(path('ticks'))).status).toBe(401);
    const failed = await get('no-news');
    expect([failed.status, failed.text.includes('password')]).toEqual([500, false]);
  });

  it('does not count for MAX_IN_FLIGHT while it is open, and ends with its client', async () => {
    const responses = [await open('news'), await open('news'), await open('news')];
    await eventually(() => Promise.resolve(news.observed), true, 5_000);
    expect((await get('number')).status).toBe(200);
    let text = '';
    responses[0]!.on('data', (chunk) => (text += String(chunk)));
    news.next('first');
    await eventually(() => Promise.resolve(text.trim()), 'event: news\nid: 1\ndata: first', 5_000);
    for (const response of responses) response.destroy();
    await eventually(() => Promise.resolve(news.observed), false, 5_000);
  });
});
