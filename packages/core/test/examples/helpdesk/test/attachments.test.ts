import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { errorOf } from '@plinth/dev/testing';

import { MAX_FILE_BYTES } from '../src/attachments/media-types.js';
import { readRange } from '../src/attachments/byte-range.js';
import { addTicket, Desk, Member, startDesk } from './desk.js';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(200_000)]);

let desk: Desk;
let agent: Member;
let acme: Member;
let boreal: Member;
let ticket: string;

beforeAll(async () => {
  desk = await startDesk();
  agent = await desk.member('agent');
  [acme, boreal] = [
    await desk.member('customer', desk.companies[0]),
    await desk.member('customer', desk.companies[1]),
  ];
  ticket = await addTicket(acme);
});
afterAll(() => desk.stop());

interface Upload {
  readonly status: number;
  readonly body: unknown;
  readonly path: string;
}

const formWith = (content: Buffer, type: string, name: string): FormData => {
  const form = new FormData();
  form.append('file', new Blob([content], { type }), name);
  return form;
};

async function upload(
  content: Buffer,
  {
    type = 'image/png',
    name = 'lämp.png',
    by = acme,
    to = ticket,
    form = formWith(content, type, name),
    headers = {},
  } = {},
): Promise<Upload> {
  const options = { method: 'POST', headers: { ...by.headers, ...headers }, body: form };
  const response = await fetch(`${desk.baseUrl}${to}/attachments`, options);
  const path = response.headers.get('location') ?? '';
  return { status: response.status, body: await response.json(), path };
}

const download = (
  path: string,
  headers: Record<string, string> = {},
  { headers: own } = acme,
): Promise<Response> => fetch(`${desk.baseUrl}${path}/content`, { headers: { ...own, ...headers } });

const storedFiles = (): string[] => {
  const folder = join(desk.folder, 'attachments');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

describe('an attachment', () => {
  it('is downloaded as it was uploaded', async () => {
    const { status, body, path } = await upload(PNG);
    const described = { name: 'lämp.png', mediaType: 'image/png', size: PNG.length };
    expect([status, body]).toMatchObject([201, described]);
    expect(body).not.toHaveProperty('file');
    const { headers, ...response } = await download(path).then(async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      bytes: Buffer.from(await answer.arrayBuffer()),
    }));
    expect([response.status, response.bytes.equals(PNG)]).toEqual([200, true]);
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('content-length')).toBe(`${PNG.length}`);
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="l?mp.png"; filename*=UTF-8''l%C3%A4mp.png`,
    );
    expect(headers.get('cache-control')).toContain('private');
    const cached = await download(path, { 'if-none-match': headers.get('etag')! });
    expect([cached.status, await cached.text()]).toEqual([304, '']);
    expect((await acme.client.get(`${ticket}/attachments`)).body).toMatchObject({ data: [described] });
  });

  it.each([
    ['bytes=0-3', 206, [0, 3]],
    ['bytes=200000-', 206, [200_000, PNG.length - 1]],
    ['bytes=-5', 206, [PNG.length - 5, PNG.length - 1]],
    ['bytes=8-9999999', 206, [8, PNG.length - 1]],
    ['bytes=9999999-', 416, null],
    ['bytes=-0', 416, null],
    ['bytes=5-2', 200, [0, PNG.length - 1]],
    ['bytes=0-1,3-4', 200, [0, PNG.length - 1]],
    ['bytes=-', 200, [0, PNG.length - 1]],
    ['lines=1-2', 200, [0, PNG.length - 1]],
  ] as const)('is sent in part: Range: %s → %d', async (range, status, part) => {
    const { path } = await upload(PNG);
    const answer = await download(path, { range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([
      status,
      status === 200 ? null : `bytes ${part ? part.join('-') : '*'}/${PNG.length}`,
    ]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (part) expect(bytes.equals(PNG.subarray(part[0], part[1] + 1))).toBe(true);
    else expect(JSON.parse(String(bytes))).toMatchObject({ error: { code: 'RANGE_NOT_SATISFIABLE' } });
  });

  it('has its own media type, if the client accepts one of those that it could have', async () => {
    const pdf = await upload(Buffer.from('%PDF-1.7'), { type: 'application/pdf', name: 'a.pdf' });
    expect((await download(pdf.path)).headers.get('content-type')).toBe('application/pdf');
    expect((await download(pdf.path, { accept: 'text/html' })).status).toBe(406);
  });

  it('is sent with the headers that the document describes', async () => {
    const { path } = await upload(PNG);
    const etag = (await download(path)).headers.get('etag')!;
    const requests: Record<string, string>[] = [
      {},
      { range: 'bytes=0-3' },
      { 'if-none-match': etag },
      { range: 'bytes=9999999-' },
    ];
    // The test client refuses a response that the document does not contain.
    const statuses = requests.map(
      async (headers) => (await acme.client.get(`${path}/content`, headers)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 206, 304, 416]);
  });

  it('is stored once for an Idempotency-Key, which another file cannot use', async () => {
    const headers = { 'idempotency-key': 'one-upload' };
    const first = await upload(PNG, { headers });
    expect(await upload(PNG, { headers })).toEqual(first);
    const other = await upload(PNG.subarray(0, -1), { headers });
    expect(errorOf(other)).toBe('422 IDEMPOTENCY_KEY_REUSED');
  });

  it('is sent in part only if If-Range names its entity tag', async () => {
    const { path } = await upload(PNG);
    const etag = (await download(path)).headers.get('etag')!;
    const statuses = [etag, '"another"'].map((value) =>
      download(path, { range: 'bytes=0-3', 'if-range': value }),
    );
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([206, 200]);
  });

  it('does not exist for other companies', async () => {
    const { path } = await upload(PNG);
    expect((await download(path, {}, agent)).status).toBe(200);
    const answer = await download(path, {}, boreal);
    expect(errorOf({ status: answer.status, body: await answer.json() })).toBe('404 ATTACHMENT_NOT_FOUND');
    expect(errorOf(await boreal.client.get(path))).toBe('404 ATTACHMENT_NOT_FOUND');
    expect(errorOf(await boreal.client.get(`${ticket}/attachments`))).toBe('404 TICKET_NOT_FOUND');
    // The path of another ticket leads to no attachment either.
    const other = path.replace(ticket, await addTicket(acme));
    expect((await download(other)).status).toBe(404);
  });

  it('is removed by the desk', async () => {
    const { path } = await upload(PNG);
    expect(errorOf(await acme.client.delete(path))).toBe('403 PERMISSION_DENIED');
    expect((await agent.client.delete(path)).status).toBe(204);
    expect((await download(path)).status).toBe(404);
  });
});

describe('an upload leaves no file behind', () => {
  let before: string[];
  beforeEach(() => {
    before = storedFiles();
  });
  afterEach(() => {
    expect(storedFiles()).toEqual(before);
  });

  const TEXT = Buffer.from('just text, and more than eight bytes of it');

  it.each([
    ['text, sent as a PNG', TEXT, 'image/png'],
    ['a PNG, sent as a PDF', PNG, 'application/pdf'],
    ['a type that is not allowed', TEXT, 'text/plain'],
    ['the beginning of a signature', PNG.subarray(0, 4), 'image/png'],
    ['an empty file', Buffer.alloc(0), 'image/jpeg'],
  ])('if its type is refused: %s', async (_, content, type) => {
    expect(errorOf(await upload(content, { type }))).toBe('422 MEDIA_TYPE_NOT_ALLOWED');
  });

  it('if it is too large', async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(MAX_FILE_BYTES)]);
    expect(errorOf(await upload(large))).toBe('413 PAYLOAD_TOO_LARGE');
  });

  it('if its transaction fails', async () => {
    expect(errorOf(await upload(PNG, { by: boreal }))).toBe('404 TICKET_NOT_FOUND');
    const archived = await addTicket(acme);
    await agent.client.patch(archived, { status: 'solved' });
    await agent.client.post(`${archived}/archive`, undefined);
    expect(errorOf(await upload(PNG, { to: archived }))).toBe('409 TICKET_ARCHIVED');
  });

  it('if the form has no file, or more than one', async () => {
    expect(errorOf(await upload(PNG, { form: new FormData() }))).toBe('400 BAD_REQUEST');
    const form = formWith(PNG, 'image/png', 'a.png');
    form.append('file', new Blob([PNG], { type: 'image/png' }), 'b.png');
    expect(errorOf(await upload(PNG, { form }))).toBe('400 BAD_REQUEST');
  });
});

describe('a range of an empty file', () => {
  it('has no bytes', () => {
    expect([readRange('bytes=0-', 0), readRange('bytes=-1', 0), readRange(undefined, 0)]).toEqual([
      null,
      undefined,
      undefined,
    ]);
  });
});
