import { Collector, CollectedSpan } from '../support/collector.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { describeWithRedis, startRedis, TestRedis } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';

const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

/** Sorted; whether grants were read or remembered is another matter. */
const namesOf = (spans: readonly CollectedSpan[]): string[] =>
  spans
    .map(({ name }) => name)
    .filter((name) => name !== 'select access_grants')
    .sort();

describeWithRedis('O4 traces', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let collector: Collector;
  let service: ServiceProcess;
  let authorization: string;
  beforeAll(async () => {
    [database, redis, collector] = await Promise.all([createDatabase(), startRedis(), Collector.start()]);
    service = await ServiceProcess.started(settings('http/json'));
    authorization = await logIn();
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    await service.exited;
    collector.stop();
    await redis.remove();
    await database.drop();
  });

  const settings = (protocol: string): Record<string, string> => ({
    NODE_ENV: 'development',
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
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
  const logIn = async (): Promise<string> => {
    const credentials = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD };
    const response = await send('/login', {}, credentials);
    return `Bearer ${((await response.json()) as { accessToken: string }).accessToken}`;
  };

  /** The spans of the request with an id, once its own is there: it ends last. */
  const spansOf = async (requestId: string): Promise<{ own: CollectedSpan; below: CollectedSpan[] }> => {
    const find = (): CollectedSpan | undefined =>
      collector.spans.find(({ attributes }) => attributes['request.id'] === requestId);
    await eventually(() => Promise.resolve(find() !== undefined), true, 20_000);
    const own = find() as CollectedSpan;
    return { own, below: collector.spans.filter(({ parentSpanId }) => parentSpanId === own.spanId) };
  };

  it('have a span for a request, below that of the caller, and one for each statement and Redis call in it', async () => {
    const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
    const response = await send('/api/v1/products/1', { traceparent, 'x-request-id': 'read-1' });
    await response.text();
    const { own, below } = await spansOf('read-1');
    expect(own).toMatchObject({
      traceId: CALLER.traceId,
      parentSpanId: CALLER.spanId,
      name: 'GET /api/v1/products/:id',
      kind: 2,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/products/:id',
        'http.response.status_code': 404,
      },
      resource: { 'service.name': 'goods', 'deployment.environment.name': 'tests' },
    });
    expect(response.headers.get('traceresponse')).toBe(`00-${own.traceId}-${own.spanId}-01`);
    expect(namesOf(below)).toEqual(['count hit', 'select products']);
    for (const { kind, traceId } of below) expect([kind, traceId]).toEqual([3, CALLER.traceId]);
    const systems = new Set(below.map(({ attributes }) => attributes['db.system.name']));
    expect([...systems].sort()).toEqual(['postgresql', 'redis']);
  });

  it('follow a request with a body into its transaction', async () => {
    const headers = { 'x-request-id': 'write-1', 'idempotency-key': 'traced' };
    const body = { name: 'a lamp', price: 1, category: 'lamps' };
    expect((await send('/api/v1/products', headers, body)).status).toBe(201);
    const { own, below } = await spansOf('write-1');
    expect(own.parentSpanId ?? '').toBe('');
    expect(below.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['count hit', 'begin', 'idempotency_claim', 'insert products', 'commit']),
    );
    expect(JSON.stringify([own, below])).not.toMatch(/a lamp|traced/);
  });

  it('are named in the lines of the log', async () => {
    await (await send('/api/v1/products', { 'x-request-id': 'logged-1' })).text();
    const { own } = await spansOf('logged-1');
    const find = (): string | undefined =>
      service.log.split('\n').find((line) => line.includes('"logged-1"'));
    await eventually(() => Promise.resolve(find() !== undefined), true, 10_000);
    expect(JSON.parse(find() ?? '')).toMatchObject({ traceId: own.traceId, spanId: own.spanId });
  });

  it('do not mix requests that share a statement', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `together-${index}`);
    await Promise.all(
      ids.map(async (id) => (await send('/api/v1/products/1', { 'x-request-id': id })).text()),
    );
    for (const id of ids) {
      const { own, below } = await spansOf(id);
      expect(namesOf(below)).toEqual(['count hit', 'select products']);
      for (const { traceId } of below) expect(traceId).toBe(own.traceId);
    }
  });

  it('are sampled whatever the caller says, and begin anew after a header that is none', async () => {
    const unsampled = `00-${CALLER.traceId.replace('4', '5')}-${CALLER.spanId}-00`;
    const hidden = await send('/api/v1/products', { traceparent: unsampled, 'x-request-id': 'hidden-1' });
    expect(hidden.headers.get('traceresponse')).toMatch(/-01$/);
    expect((await spansOf('hidden-1')).own.parentSpanId).toBe(CALLER.spanId);
    await (await send('/api/v1/products', { traceparent: '00-x-y-01', 'x-request-id': 'anew-1' })).text();
    expect((await spansOf('anew-1')).own.parentSpanId ?? '').toBe('');
  });

  it('come with Server-Timing in development', async () => {
    const timing = (await send('/api/v1/products')).headers.get('server-timing');
    expect(timing).toMatch(/^total;dur=[\d.]+, queue;dur=[\d.]+, database;dur=[\d.]+, redis;dur=[\d.]+$/);
  });

  it('are sent to the last at the end, by protobuf where nothing else is said', async () => {
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    const { OTEL_EXPORTER_OTLP_PROTOCOL: _, ...rest } = settings('');
    // Nothing is sent by itself: only the end sends it.
    service = await ServiceProcess.started({
      ...rest,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      NODE_ENV: 'test',
    });
    // A sampler that asks the caller, for those who want it.
    const unsampled = { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-00` };
    const quiet = await send('/health/live', unsampled);
    expect(quiet.headers.get('traceresponse')).toMatch(/-00$/);
    const response = await send('/health/live', { 'x-request-id': 'last-1' });
    expect(response.headers.has('server-timing')).toBe(false);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    const last = collector.received.at(-1);
    expect(last).toMatchObject({ url: '/v1/traces', type: 'application/x-protobuf' });
    expect(last?.body.includes('GET /health/live')).toBe(true);
  });
});

describe('O4 without an endpoint', () => {
  it.each([
    [{}],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_EXPORTER: 'none' }],
  ])('nothing is traced: %j', async (settings) => {
    const { readConfig } = await import('../../src/config/read-config.js');
    expect(readConfig(settings, () => 'a secret of at least 32 bytes for tests').tracing).toBeUndefined();
  });
});
