import { eventually } from '@plinth/dev/testing';

import { createCertificate, createSignedCertificate, SignedCertificate } from '../support/certificate.js';
import { DebianPostgres, hasDebianPostgres } from '../support/debian-postgres.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';
import { SECRET } from '../support/settings.js';

// The server requires the programs of a whole PostgreSQL (Debian: `apt-get install postgresql-15`). CI installs them.
const describeWithPostgres = hasDebianPostgres ? describe : describe.skip;

describeWithPostgres('a service of a PostgreSQL with TLS and a private authority', () => {
  let certificate: SignedCertificate;
  let stranger: ReturnType<typeof createCertificate>;
  let primary: DebianPostgres;
  let replica: DebianPostgres;

  beforeAll(async () => {
    certificate = createSignedCertificate();
    stranger = createCertificate('/CN=Another authority');
    primary = await DebianPostgres.primary();
    primary.requireTls(certificate);
    replica = await primary.replica();
  });
  afterAll(() => {
    replica.remove();
    primary.remove();
    stranger.remove();
    certificate.remove();
  });

  const withFiles = (query: string): string =>
    query.replace('AUTHORITY', certificate.authorityFile).replace('STRANGER', stranger.certFile);
  const settings = (query: string, host = '127.0.0.1'): Record<string, string> => ({
    DATABASE_URL: `${primary.url.replace('127.0.0.1', host)}?${withFiles(query)}`,
    JWT_SECRET: SECRET,
    ADMIN_PASSWORD: 'correct horse battery staple',
  });

  it.each([
    ['sslmode=require', '127.0.0.1'],
    ['sslmode=verify-full&sslrootcert=AUTHORITY', '127.0.0.1'],
    // The certificate is for 127.0.0.1 only.
    ['sslmode=verify-ca&sslrootcert=AUTHORITY', 'localhost'],
    ['sslmode=require&sslrootcert=AUTHORITY', 'localhost'],
  ])('serves with %s and the host %s', async (query, host) => {
    const service = await ServiceProcess.started(settings(query, host));
    expect((await exchange(service, wire('GET /health/ready'))).answer.status).toBe(200);
    expect(service.output.includes('its certificate is not verified')).toBe(query === 'sslmode=require');
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  });

  it('reads from a replica with TLS, and listens on the primary with TLS', async () => {
    const query = withFiles('sslmode=verify-full&sslrootcert=AUTHORITY');
    const replicas = { DATABASE_REPLICA_URLS: `${replica.url}?${query}`, REPLICA_LAG_SECONDS: '1' };
    const service = await ServiceProcess.started({ ...settings(query), ...replicas });
    await eventually(() => Promise.resolve(/The replica \S+ serves reads/.test(service.log)), true, 30_000);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  });

  it.each([
    ['sslmode=disable', '127.0.0.1', /no encryption\. The server requires TLS: add sslmode=verify-full/],
    ['', '127.0.0.1', /no encryption\. The server requires TLS: add sslmode=verify-full/],
    [
      'sslmode=verify-full',
      '127.0.0.1',
      /Download the certificate .* add sslrootcert=<file> to DATABASE_URL/,
    ],
    ['sslmode=verify-ca', '127.0.0.1', /add sslrootcert=<file> to DATABASE_URL/],
    ['sslmode=require&sslrootcert=STRANGER', '127.0.0.1', /add sslrootcert=<file> to DATABASE_URL/],
    ['sslmode=verify-full&sslrootcert=AUTHORITY', 'localhost', /Use a host name of the certificate/],
    [
      'sslmode=verify-full&sslrootcert=/missing',
      '127.0.0.1',
      /DATABASE_URL: .*sslrootcert is a file .*ENOENT/,
    ],
    ['sslmode=strict', '127.0.0.1', /DATABASE_URL: .*sslmode is disable, require, .*not "strict"/],
  ])('says what to do with %j and the host %s, and ends', async (query, host, message) => {
    const service = new ServiceProcess(settings(query, host));
    expect(await service.exited).toBe(1);
    expect(service.output).toMatch(message);
    expect(service.output.trim().split('\n')).toHaveLength(1);
  });

  it('says what to do if the server has no TLS, and ends', async () => {
    const plain = await DebianPostgres.primary();
    try {
      const DATABASE_URL = `${plain.url}?sslmode=require`;
      const service = new ServiceProcess({ ...settings(''), DATABASE_URL });
      expect(await service.exited).toBe(1);
      expect(service.output).toMatch(/Turn on TLS in the server, or set sslmode=disable in DATABASE_URL/);
    } finally {
      plain.remove();
    }
  });
});
