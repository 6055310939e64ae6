import { useInProcess } from '../support/own-app.js';
import { PicturesModule } from './uploads.module.js';

const app = useInProcess({}, undefined, [PicturesModule]);
let headers: Record<string, string>;

beforeAll(async () => {
  const { email, password } = await app.user('editor');
  headers = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` };
});

type Part = string | { readonly name: string; readonly content: string; readonly type?: string };

/** The status and the body of the response to a form. */
async function send(path: string, parts: Record<string, Part | Part[]>): Promise<[number, unknown]> {
  const form = new FormData();
  for (const [name, values] of Object.entries(parts)) {
    for (const value of [values].flat()) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, new Blob([value.content], { type: value.type ?? 'image/png' }), value.name);
    }
  }
  const response = await fetch(`${app.baseUrl}/api/v1/pictures${path}`, {
    method: 'POST',
    headers,
    body: form,
  });
  return [response.status, await response.json()];
}

const PICTURE = { name: 'a.png', content: 'png' };
const codeOf = ([status, body]: [number, unknown]): string =>
  `${status} ${(body as { error: { code: string } }).error.code}`;

describe('an upload', () => {
  it('receives a file and form fields, read with the types of their DTO', async () => {
    expect(await send('', { picture: PICTURE, title: 'Sea', year: '1999', isPublic: 'true' })).toEqual([
      201,
      { originalname: 'a.png', mimetype: 'image/png', size: 3, title: 'Sea', year: 1999, isPublic: true },
    ]);
  });

  it('is answered with 400 without its file', async () => {
    expect(codeOf(await send('', { title: 'Sea', year: '1999' }))).toBe('400 BAD_REQUEST');
  });

  it('is answered with the faults of its fields in details', async () => {
    const [status, body] = await send('', { picture: PICTURE, title: '', year: 'x', size: '1' });
    expect([status, body]).toMatchObject([400, { error: { code: 'VALIDATION_FAILED' } }]);
    const { details } = (body as { error: { details: { field: string; code: string }[] } }).error;
    expect(details.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
      'size UNKNOWN_FIELD',
      'title TOO_SHORT',
      'year WRONG_TYPE',
    ]);
  });

  it('is limited by the interceptor and by pipes', async () => {
    const large = { name: 'b.png', content: 'x'.repeat(2_000) };
    expect(codeOf(await send('', { picture: large, title: 'a', year: '1' }))).toBe('413 PAYLOAD_TOO_LARGE');
    expect(codeOf(await send('', { other: PICTURE }))).toBe('400 BAD_REQUEST');
    expect(
      codeOf(await send('/checked', { picture: { name: 'a.gif', content: 'x', type: 'image/gif' } })),
    ).toBe('400 BAD_REQUEST');
    expect(codeOf(await send('/checked', {}))).toBe('400 BAD_REQUEST');
    expect((await send('/many', { pictures: [PICTURE, PICTURE] }))[0]).toBe(201);
    expect(codeOf(await send('/many', { pictures: [PICTURE, PICTURE, PICTURE, PICTURE] }))).toBe(
      '400 BAD_REQUEST',
    );
  });

  it('is refused before it is read', async () => {
    headers = { ...headers, authorization: 'Bearer x' };
    expect(codeOf(await send('', { picture: PICTURE }))).toBe('401 INVALID_TOKEN');
    const { email, password } = await app.user('editor');
    headers = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` };
  });
});
