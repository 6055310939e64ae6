import { eventually } from '@plinth/dev/testing';

import { CollectedSpan, Collector } from '../support/collector.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';

const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

describe('traces', () => {
  let database: TestDatabase;
  let collector: Collector;
  let service: ServiceProcess;
  let authorization: string;
  beforeAll(async () => {
    [database, collector] = await Promise.all([createDatabase(), Collector.start()]);
    service = await ServiceProcess.started(settings('http/json'));
    const login = await send('/login', {}, { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD });
    authorization = `Bearer ${((await login.json()) as { accessToken: string }).accessToken}`;
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    await service.exited;
    collector.stop();
    await database.drop();
  });

  const settings = (protocol: string): Record<string, string> => ({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    JWT_SECRET: 'a secret of at least 32 bytes for tests',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_SERVICE_NAME: 'goods',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    ...ADMIN,
  });

  const send = (path: string, headers: Record<string, string> = {}, body?: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${service.port}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(authorization && { authorization }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });

  /** The spans of a request, once its own span exists, which ends last. */
  const spansOf = async (requestId: string): Promise<{ own: CollectedSpan; below: CollectedSpan[] }> => {
    const find = (): CollectedSpan | undefined =>
      collector.spans.find(({ attributes }) => attributes['request.id'] === requestId);
    await eventually(() => Promise.resolve(find() !== undefined), true, 20_000);
    const own = find() as CollectedSpan;
    const inTrace = collector.spans.filter(({ traceId }) => traceId === own.traceId);
    return { own, below: inTrace.filter((span) => span !== own) };
  };

  it("have a span per request, as a child of the caller's span, and one per statement", async () => {
    const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
    const headers = { traceparent, 'x-request-id': 'read-1' };
    expect((await send('/api/v1/products/999999?fields=secret', headers)).status).toBe(400);
    expect((await send('/api/v1/products/999999', { ...headers, 'x-request-id': 'read-2' })).status).toBe(
      404,
    );
    const { own, below } = await spansOf('read-2');
    expect(own).toMatchObject({
      traceId: CALLER.traceId,
      parentSpanId: CALLER.spanId,
      name: 'GET /api/v1/products/:id',
      kind: 2,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/products/:id',
        'http.response.status_code': 404,
        'url.path': '/api/v1/products/999999',
      },
      resource: { 'service.name': 'goods', 'deployment.environment.name': 'tests' },
    });
    const statements = below.filter(({ kind }) => kind === 3).map(({ attributes }) => attributes);
    expect(statements).toContainEqual(
      expect.objectContaining({
        'db.system.name': 'postgresql',
        'db.query.text': expect.stringContaining('from "products"') as string,
      }),
    );
    expect(JSON.stringify((await spansOf('read-1')).own)).not.toContain('secret');
  });

  it('follow a request with a body into its transaction, and contain no value of the body', async () => {
    const headers = { 'x-request-id': 'write-1', 'idempotency-key': 'traced' };
    const body = { name: 'a lamp', price: 1, category: 'lamps' };
    expect((await send('/api/v1/products', headers, body)).status).toBe(201);
    const { own, below } = await spansOf('write-1');
    expect(own.parentSpanId ?? '').toBe('');
    const statements = below.map(({ attributes }) => attributes['db.query.text']);
    expect(statements).toEqual(
      expect.arrayContaining(['BEGIN', expect.stringContaining('insert into "products"'), 'COMMIT']),
    );
    expect(JSON.stringify([own, below])).not.toMatch(/a lamp|traced/);
  });

  it('are named in the log line of their request', async () => {
    await (await send('/api/v1/products', { 'x-request-id': 'logged-1' })).text();
    const { own } = await spansOf('logged-1');
    const find = (): string | undefined =>
      service.log.split('\n').find((line) => line.includes('"logged-1"'));
    await eventually(() => Promise.resolve(find() !== undefined), true, 10_000);
    expect(JSON.parse(find() ?? '')).toMatchObject({ traceId: own.traceId, spanId: own.spanId });
  });

  it('are sent completely at the shutdown, by protobuf if no other protocol is set', async () => {
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    const { OTEL_EXPORTER_OTLP_PROTOCOL: _, ...rest } = settings('');
    // Nothing is sent earlier, so the shutdown sends all spans.
    service = await ServiceProcess.started({ ...rest, OTEL_BSP_SCHEDULE_DELAY: '600000' });
    await send('/health/live', { 'x-request-id': 'last-1' });
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    const last = collector.received.at(-1);
    expect(last).toMatchObject({ url: '/v1/traces', type: 'application/x-protobuf' });
    expect(last?.body.includes('GET /health/live')).toBe(true);
  });
});
