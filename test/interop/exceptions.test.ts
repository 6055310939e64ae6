import { useInProcess } from '../support/own-app.js';
import { SeatsModule } from './exceptions.module.js';

interface Envelope {
  readonly error: { code: string; status: number; message: string; details?: unknown[] };
}

describe("NestJS's own exceptions", () => {
  const app = useInProcess({}, undefined, [SeatsModule]);
  let headers: Record<string, string>;

  beforeAll(async () => {
    const { email, password } = await app.user('viewer');
    headers = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` };
  });

  const get = async (path: string): Promise<Response & { envelope: Envelope }> => {
    const response = await fetch(`${app.baseUrl}/api/v1/seats/${path}`, { headers });
    return Object.assign(response, { envelope: (await response.json()) as Envelope });
  };

  it.each([
    ['thrown/forbidden', 403, 'FORBIDDEN', 'Only on Sundays.'],
    ['thrown/unauthorized', 401, 'UNAUTHORIZED', 'Say the password.'],
    ['thrown/gone', 410, 'GONE', 'Gone.'],
    ['thrown/teapot', 418, 'IM_A_TEAPOT', 'Short and stout.'],
    ['thrown/unprocessable', 422, 'UNPROCESSABLE_ENTITY', 'too long; too wide'],
    ['thrown/missing', 404, 'NOT_FOUND', 'There is no such seat.'],
    ['thrown/unavailable', 503, 'SERVICE_UNAVAILABLE', 'The cinema is dark.'],
    ['guarded', 403, 'FORBIDDEN', 'Forbidden resource'],
    ['closed', 423, 'LOCKED', 'The office is closed.'],
    ['late', 409, 'CONFLICT', 'Somebody was faster.'],
    ['named/gone', 410, 'GONE', 'The seat was removed.'],
  ])('keep their status and message: %s is %i %s', async (path, status, code, message) => {
    const { envelope, ...response } = await get(path);
    expect(envelope.error).toMatchObject({ code, status, message });
    expect(Object.keys(envelope)).toEqual(['error']);
    expect('details' in envelope.error).toBe(status === 400 || status === 422);
    void response;
  });

  it.each(['bug', 'crash', 'success', 'text'])(
    'are answered without any detail if they are bugs: %s',
    async (name) => {
      const response = await get(`thrown/${name}`);
      expect([response.status, response.envelope]).toEqual([
        500,
        {
          error: {
            code: 'INTERNAL_ERROR',
            message: 'The server failed to process the request. The error has been logged.',
            status: 500,
          },
        },
      ]);
    },
  );

  it('are logged if they are server errors', async () => {
    await get('thrown/crash');
    expect(JSON.stringify(app.log)).toContain('select password from users');
  });

  it('have the headers that their status requires', async () => {
    expect((await get('thrown/unauthorized')).headers.get('www-authenticate')).toContain('Bearer');
    expect((await get('thrown/unavailable')).headers.get('retry-after')).toBe('5');
    const missing = await get('thrown/missing');
    expect(missing.headers.get('content-type')).toBe('application/json');
    expect(missing.headers.get('cache-control')).toBe('no-store');
  });

  it('have the message of the pipe that throws them', async () => {
    const { status, envelope } = await get('named/bad');
    expect([status, envelope.error]).toEqual([
      400,
      { code: 'BAD_REQUEST', details: [], message: 'A seat is a letter and a number.', status: 400 },
    ]);
  });

  it('are documented by the decorators of @nestjs/swagger', async () => {
    const viewer = await app.as('viewer');
    // The test client refuses statuses that the document does not list.
    expect((await viewer.get('/api/v1/seats/thrown/missing')).status).toBe(404);
    expect((await viewer.get('/api/v1/seats/late')).status).toBe(409);
    await expect(viewer.get('/api/v1/seats/thrown/teapot')).rejects.toThrow('does not list this status');
  });
});
