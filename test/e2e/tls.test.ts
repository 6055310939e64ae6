import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect as connectTls, TLSSocket } from 'node:tls';

import { Certificate, createCertificate } from '../support/certificate.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { startService } from '../support/hosts.js';
import { wire } from '../support/raw-http.js';

const PRODUCTS = '/api/v1/products';

describe('a service with TLS', () => {
  let database: TestDatabase;
  let certificate: Certificate;
  let service: Awaited<ReturnType<typeof startService>>;
  let port: number;
  /** @param offered protocols for ALPN (RFC 7301) */
  const connected = async (offered = ['http/1.1']): Promise<TLSSocket> => {
    const ca = certificate.cert;
    const socket = connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: offered });
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    return socket;
  };
  /** Everything that a connection receives until it ends. */
  const received = async (socket: TLSSocket): Promise<string> => {
    let text = '';
    socket.on('data', (data) => (text += String(data)));
    await once(socket, 'close');
    return text;
  };

  beforeAll(async () => {
    certificate = createCertificate();
    database = await createDatabase();
    service = await startService({
      NODE_ENV: 'production',
      MAIL: 'off',
      DATABASE_URL: database.url,
      JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
      TLS_CERT_FILE: certificate.certFile,
      TLS_KEY_FILE: certificate.keyFile,
    });
    port = Number(new URL(service.url).port);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
    certificate.remove();
  });

  it('answers over HTTP/1.1 with Strict-Transport-Security', async () => {
    const agent = new Agent({ ca: certificate.cert });
    const sent = request({ host: '127.0.0.1', port, path: PRODUCTS, agent }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    agent.destroy();
    const socket = await connected(['h2', 'http/1.1']);
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
  });

  it('answers a slow body with 408 in time', async () => {
    const started = performance.now();
    const socket = await connected();
    socket.write(wire('POST /login', ['Content-Type: application/json', 'Content-Length: 100'], '{'));
    expect(await received(socket)).toMatch(/^HTTP\/1\.1 408 .*"REQUEST_TIMEOUT"/s);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
