import { once } from 'node:events';
import { ClientHttp2Session, connect as connectHttp2, IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { Certificate, createCertificate } from '../support/certificate.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { describeWithOwnService } from '../support/needs.js';
import { PATIENCE } from '../support/patience.js';
import { RawHttp2 } from '../support/raw-http2.js';
import { wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';

const PRODUCTS = '/api/v1/products';

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
  readonly body: { error?: { code: string } };
}

describeWithOwnService('TLS', () => {
  let database: TestDatabase;
  let certificate: Certificate;
  const start = (): Promise<ServiceProcess> =>
    ServiceProcess.started({
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
      TLS_CERT_FILE: certificate.certFile,
      TLS_KEY_FILE: certificate.keyFile,
    });
  const session = (service: ServiceProcess): ClientHttp2Session =>
    connectHttp2(`https://127.0.0.1:${service.port}`, { ca: certificate.cert });
  /** @param hasHalfBody the request is left open */
  const ask = async (on: ClientHttp2Session, headers: object, hasHalfBody = false): Promise<Answer> => {
    const stream = on.request({ ...headers });
    stream.on('error', () => undefined);
    if (hasHalfBody) stream.write('{');
    let text = '';
    stream.on('data', (data) => (text += String(data)));
    const [received] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
    if (!stream.readableEnded) await once(stream, 'end');
    return { headers: received, status: received[':status'], body: JSON.parse(text) as Answer['body'] };
  };

  let service: ServiceProcess;
  beforeAll(async () => {
    certificate = createCertificate();
    database = await createDatabase();
    service = await start();
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    await service.exited;
    await database.drop();
    certificate.remove();
  });

  it('is answered over HTTP/2, with Strict-Transport-Security', async () => {
    const client = session(service);
    const { status, headers, body } = await ask(client, { ':path': PRODUCTS });
    expect([status, body.error?.code]).toEqual([401, 'AUTHENTICATION_REQUIRED']);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    client.close();
  });

  it('gives a slow body its 408 in time, over HTTP/2 and HTTP/1.1', async () => {
    const client = session(service);
    const post = { ':method': 'POST', ':path': '/login', 'content-type': 'application/json' };
    const started = performance.now();
    const overTls = connectTls({
      port: service.port,
      host: '127.0.0.1',
      ca: certificate.cert,
      ALPNProtocols: ['http/1.1'],
    });
    await once(overTls, 'secureConnect');
    overTls.write(wire('POST /login', ['Content-Type: application/json', 'Content-Length: 100'], '{'));
    let text = '';
    overTls.on('data', (data) => (text += String(data)));
    overTls.on('error', () => undefined);
    const [http2] = await Promise.all([ask(client, post, true), once(overTls, 'close')]);
    expect([http2.status, http2.body.error?.code]).toEqual([408, 'REQUEST_TIMEOUT']);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - started).toBeLessThan(15_000 * PATIENCE);
    client.destroy();
  });

  it('refuses CONNECT over HTTP/2, and logs it, while the client sends', async () => {
    const client = session(service);
    const tunnel = { ':method': 'CONNECT', ':authority': 'localhost:80' };
    const { status, headers, body } = await ask(client, tunnel, true);
    expect([status, body.error?.code]).toEqual([400, 'BAD_REQUEST']);
    const id = headers['x-request-id'] as string;
    const line = new RegExp(`"method":"CONNECT","route":null,"status":400,[^\\n]*"requestId":"${id}"`);
    await eventually(() => Promise.resolve(line.test(service.log)), true, 20_000);
    client.destroy();
  });

  it('F11 ends a session, answering every stream up to the one that it announces', async () => {
    const own = await start();
    const client = await RawHttp2.connected(own.port, certificate.cert);
    const streams: number[] = [];
    const ask = (): void => {
      const stream = 2 * streams.length + 1;
      streams.push(stream);
      client.get(stream, PRODUCTS);
    };
    ask();
    await client.answered(1);
    const asking = setInterval(ask, 2);
    own.kill('SIGTERM');
    const { lastStream, error } = await client.announced;
    clearInterval(asking);
    // The client did not know yet, as far as the service can tell; it may send these again (RFC 9113 §6.8).
    ask();
    const answered = streams.filter((stream) => stream <= lastStream);
    const later = streams.filter((stream) => stream > lastStream);
    expect([error, answered.length > 0, later.length > 0]).toEqual([0, true, true]);
    for (const stream of answered) expect(await client.answered(stream)).toContain('AUTHENTICATION_REQUIRED');
    for (const stream of later) await expect(client.answered(stream)).rejects.toThrow('closed');
    expect(await own.exited).toBe(0);
  });

  it('F12 gives a stream that stalls its 408 when it stops, and waits for no connection without TLS', async () => {
    const own = await start();
    const silent = connect(own.port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    const client = await RawHttp2.connected(own.port, certificate.cert);
    const headers = [['content-type', 'application/json']] as const;
    client.send(1, { method: 'POST', path: '/api/v1/login', headers, body: '{', isOpen: true });
    client.get(3, PRODUCTS);
    await client.answered(3);
    own.kill('SIGTERM');
    expect(await client.answered(1)).toContain('REQUEST_TIMEOUT');
    expect(await own.exited).toBe(0);
    expect(own.log).not.toContain('failed');
  });
});
