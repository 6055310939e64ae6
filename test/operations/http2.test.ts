import { once } from 'node:events';
import http2 from 'node:http2';
import { connect } from 'node:net';

import { Certificate, createCertificate } from '../support/certificate.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { describeWithOwnService } from '../support/needs.js';
import { PATIENCE } from '../support/patience.js';
import { FRAME_BYTES, RawHttp2 } from '../support/raw-http2.js';
import { ServiceProcess } from '../support/service-process.js';

const PRODUCTS = '/api/v1/products';
const ADMIN = { email: 'ada@example.com', password: 'correct horse battery staple' };
const JSON_TYPE = ['content-type', 'application/json'] as const;
const MAX_IN_FLIGHT = 8;

describeWithOwnService('F13: HTTP/2, frame by frame', () => {
  let database: TestDatabase;
  let certificate: Certificate;
  let service: ServiceProcess;
  let beside: ServiceProcess;
  let readSlowly: Promise<string>;
  let openNoTls: Promise<number>;
  const clients: RawHttp2[] = [];
  const connected = async (window?: number): Promise<RawHttp2> => {
    const client = await RawHttp2.connected(service.port, certificate.cert, window);
    clients.push(client);
    return client;
  };
  const codeOf = (answer: string): string | undefined =>
    (JSON.parse(answer) as { error?: { code: string } }).error?.code;
  const count = async (name: string): Promise<number> => {
    const url = /Metrics +(\S+)/.exec(service.output)?.[1] ?? '';
    const text = await (await fetch(url)).text();
    return Number(new RegExp(`^http_requests_${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };

  beforeAll(async () => {
    certificate = createCertificate();
    database = await createDatabase();
    const settings = {
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
      TLS_CERT_FILE: certificate.certFile,
      TLS_KEY_FILE: certificate.keyFile,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    };
    const bounded = { METRICS_PORT: '0', MAX_IN_FLIGHT: String(MAX_IN_FLIGHT) };
    service = await ServiceProcess.started({ ...settings, ...bounded });
    await eventually(() => Promise.resolve(service.output.includes('Metrics')), true, 10_000);
    // What takes its time, and is not counted, goes on beside the other tests.
    beside = await ServiceProcess.started(settings);
    readSlowly = readingSlowly();
    for (const begun of [readSlowly, (openNoTls = openingNoTls())]) begun.catch(() => undefined);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    for (const process of [service, beside]) {
      process.kill('SIGKILL');
      await process.exited;
    }
    await database.drop();
    certificate.remove();
  });

  /** A login whose body does not end. */
  const login = (client: RawHttp2, id: number, body?: string): void => {
    client.send(id, { method: 'POST', path: '/api/v1/login', headers: [JSON_TYPE], body, isOpen: true });
  };

  it('ends a stream with its answer where the client goes on sending, and the process goes on', async () => {
    const client = await connected();
    login(client, 1, 'x'.repeat(FRAME_BYTES));
    client.sendBody(1, 'x');
    login(client, 3, '{');
    expect(codeOf(await client.answered(1))).toBe('PAYLOAD_TOO_LARGE');
    await eventually(() => count('in_flight'), 1, 5_000);
    // The time of the first is over, too.
    expect(codeOf(await client.answered(3))).toBe('REQUEST_TIMEOUT');
    await eventually(() => count('in_flight'), 0, 5_000);
    client.get(5, PRODUCTS);
    expect(codeOf(await client.answered(5))).toBe('AUTHENTICATION_REQUIRED');
    expect(service.log).not.toContain('uncaught exception');
  });

  it.each([
    ['HEAD', '200', '/health/live'],
    ['PROPFIND', '405', '/health/live'],
    ['get', '400', PRODUCTS],
    ['FOO', '400', '/health/live'],
  ])('answers %s as any other request, %s, and ends its stream alone', async (method, status, path) => {
    const session = http2.connect(`https://127.0.0.1:${service.port}`, { ca: certificate.cert });
    const stream = session.request({ ':method': method, ':path': path }, { endStream: false });
    try {
      stream.write('{');
      const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
      expect(headers).toMatchObject({
        ':status': Number(status),
        'x-request-id': expect.any(String),
        'x-content-type-options': 'nosniff',
      });
      stream.resume();
      if (!stream.closed) await once(stream, 'close');
      expect(stream.rstCode).toBe(http2.constants.NGHTTP2_NO_ERROR);
      const next = session.request({ ':path': '/health/live' }).resume();
      const [answer] = (await once(next, 'response')) as [http2.IncomingHttpHeaders];
      expect(answer[':status']).toBe(200);
    } finally {
      session.destroy();
    }
  });

  it('gives no place to bodies that do not come', async () => {
    const client = await connected();
    for (let i = 0; i < MAX_IN_FLIGHT; i++) login(client, 1 + 2 * i);
    await eventually(() => count('in_flight'), MAX_IN_FLIGHT, 5_000);
    expect(await count('at_work')).toBe(0);
    client.close();
    await eventually(() => count('in_flight'), 0, 5_000);
  });

  it('does nothing for a request that is given up before its body has ended', async () => {
    const client = await connected();
    const path = '/api/v1/login';
    client.send(1, { method: 'POST', path, headers: [JSON_TYPE], body: JSON.stringify(ADMIN) });
    const { accessToken } = JSON.parse(await client.answered(1)) as { accessToken: string };
    const authorization = ['authorization', `Bearer ${accessToken}`] as const;
    const body = JSON.stringify({ name: 'Lamp', price: 49.9, category: 'lighting' });
    client.send(3, {
      method: 'POST',
      path: PRODUCTS,
      headers: [JSON_TYPE, authorization],
      body,
      isOpen: true,
    });
    await eventually(() => count('in_flight'), 1, 5_000);
    client.reset(3);
    const line = /"method":"POST","route":"\/api\/v1\/products","status":499/;
    await eventually(() => Promise.resolve(line.test(service.log)), true, 5_000);
    client.send(5, { path: PRODUCTS, headers: [authorization] });
    expect(JSON.parse(await client.answered(5))).toMatchObject({ pagination: { total: 0 } });
    expect(await count('at_work')).toBe(0);
  });

  it('cuts answers that are not read, though the client shows that it is there', async () => {
    const client = await connected(0);
    for (let i = 0; i < MAX_IN_FLIGHT; i++) client.get(1 + 2 * i, PRODUCTS);
    // What is refused before it is routed is answered, too.
    const refused = 1 + 2 * MAX_IN_FLIGHT;
    client.send(refused, { path: PRODUCTS, headers: [['expect', 'something']] });
    client.send(refused + 2, { method: 'CONNECT' });
    await eventually(() => count('in_flight'), MAX_IN_FLIGHT + 2, 5_000);
    expect(await count('at_work')).toBe(MAX_IN_FLIGHT);
    const pings = setInterval(() => {
      client.ping();
    }, 500);
    for (const id of [1, refused, refused + 2])
      await expect(client.answered(id)).rejects.toThrow(`Stream ${id} was reset with error 8.`);
    clearInterval(pings);
    await eventually(() => count('in_flight'), 0, 5_000);
  });

  const readingSlowly = async (): Promise<string> => {
    const client = await RawHttp2.connected(beside.port, certificate.cert);
    clients.push(client);
    client.get(1, '/docs/v1/openapi.json');
    const reading = setInterval(() => {
      client.take(1, 4_000);
    }, 1_000);
    const answer = await client.answered(1);
    clearInterval(reading);
    return answer;
  };

  it('does not cut an answer that is read slowly but steadily', async () => {
    expect(JSON.parse(await readSlowly)).toHaveProperty('openapi');
  });

  it('lets go of requests whose client broke the protocol', async () => {
    const client = await connected();
    for (let i = 0; i < MAX_IN_FLIGHT; i++) client.get(1 + 2 * i, PRODUCTS);
    client.breakProtocol();
    await client.announced;
    expect(await count('in_flight')).toBeGreaterThan(0);
    client.close();
    // Cut after 30 seconds, and let go a second later, though no reset can be sent.
    for (const name of ['at_work', 'in_flight']) await eventually(() => count(name), 0, 38_000);
  });

  it('bounds headers by their size, as HTTP/1.1 does, and streams by their number', async () => {
    const client = await connected();
    const fields = (many: number, bytes: number): [string, string][] =>
      Array.from({ length: many }, (_, i) => [`x-${i}`, 'x'.repeat(bytes)]);
    client.send(1, { path: PRODUCTS, headers: fields(300, 10) });
    client.send(3, { path: PRODUCTS, headers: fields(17, 1_010) });
    expect(codeOf(await client.answered(1))).toBe('AUTHENTICATION_REQUIRED');
    expect(codeOf(await client.answered(3))).toBe('HEADERS_TOO_LARGE');
    client.get(5, PRODUCTS);
    expect(codeOf(await client.answered(5))).toBe('AUTHENTICATION_REQUIRED');
    // SETTINGS_MAX_CONCURRENT_STREAMS and SETTINGS_MAX_HEADER_LIST_SIZE (RFC 9113 §6.5.2).
    expect(Object.fromEntries(client.settings)).toMatchObject({ 3: 128, 6: 65_536 });
  });

  /** How long it takes until a connection that opens no TLS is closed. */
  const openingNoTls = async (): Promise<number> => {
    const socket = connect(beside.port, '127.0.0.1');
    const started = performance.now();
    await once(socket.resume(), 'close');
    return performance.now() - started;
  };

  it('closes a connection that opens no TLS', async () => {
    expect(await openNoTls).toBeLessThan(15_000 * PATIENCE);
  });
});
