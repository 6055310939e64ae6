import { useClient } from '../support/app.js';
import { useInProcess } from '../support/own-app.js';
import { CheckedModule, Colour } from './validation.module.js';

/** The body of an error response. */
interface Envelope {
  readonly error: {
    readonly code: string;
    readonly status: number;
    readonly details: readonly { readonly field: string; readonly code: string; readonly message: string }[];
  };
}

/** The status and code of an error response, and its faults as `field CODE`. */
async function faultsOf(answer: Promise<{ readonly body: unknown }>): Promise<string[]> {
  const { error } = (await answer).body as Envelope;
  return [`${error.status} ${error.code}`, ...error.details.map(({ field, code }) => `${field} ${code}`)];
}

const app = useInProcess({}, undefined, [CheckedModule]);
const editor = useClient(app, 'editor');

const ORDER = {
  email: 'ada@example.com',
  name: 'lamp',
  colour: Colour.Red,
  price: 9.99,
  tags: ['a'],
  address: { street: 'Storgata 1', city: 'Oslo' },
  lines: [{ quantity: 1 }],
};
const post = (path: string, body: unknown) => editor.post(`/api/v1/checked/${path}`, body);
const get = (path: string) => editor.get(`/api/v1/checked/${path}`);

describe('@Body() with a DTO of class-validator', () => {
  it('is an instance of its class, and so are nested objects', async () => {
    const { status, body } = await post('order', { ...ORDER, due: '2026-11-20T10:00:00+01:00' });
    expect([status, body]).toEqual([
      201,
      { is: 'TicketOrderDto', address: 'AddressDto', due: '2026-11-20T09:00:00.000Z' },
    ]);
  });

  it.each([
    ['2026-11-20T10:00:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00.123456789-23:59', '2026-11-21T09:59:00.123Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ])('reads the time %s as %s, in any time zone of the machine', async (due, expected) => {
    expect((await post('order', { ...ORDER, due })).body).toMatchObject({ due: expected });
  });

  it.each<[string, object, ...string[]]>([
    ['a missing field', { email: undefined }, '400 VALIDATION_FAILED', 'email REQUIRED'],
    ['text for a number', { price: '9' }, '400 VALIDATION_FAILED', 'price WRONG_TYPE'],
    ['null', { name: null }, '400 VALIDATION_FAILED', 'name WRONG_TYPE'],
    ['an unknown field', { isAdmin: true }, '400 VALIDATION_FAILED', 'isAdmin UNKNOWN_FIELD'],
    ['NUL', { name: 'a\u0000b' }, '400 VALIDATION_FAILED', 'name BAD_CHARACTER'],
    ['a malformed e-mail', { email: 'ada' }, '422 UNPROCESSABLE_ENTITY', 'email BAD_FORMAT'],
    ['too many decimals', { price: 1.234 }, '422 UNPROCESSABLE_ENTITY', 'price TOO_PRECISE'],
    ['an unknown word', { colour: 'blue' }, '422 UNPROCESSABLE_ENTITY', 'colour NOT_ALLOWED'],
    [
      'too many items, without validating the rest',
      { tags: ['a', 'b', 'c', 'd', 5] },
      '422 UNPROCESSABLE_ENTITY',
      'tags TOO_MANY',
    ],
    [
      'more items than an array without its own limit may have',
      { lines: Array.from({ length: 501 }, () => ({ quantity: 1 })) },
      '422 UNPROCESSABLE_ENTITY',
      'lines TOO_MANY',
    ],
    ['a repeated item', { tags: ['a', 'a'] }, '422 UNPROCESSABLE_ENTITY', 'tags DUPLICATE'],
    ['an item of another type', { tags: ['a', 1] }, '400 VALIDATION_FAILED', 'tags.1 WRONG_TYPE'],
    ['a date that does not exist', { due: '2026-13-01' }, '422 UNPROCESSABLE_ENTITY', 'due BAD_FORMAT'],
    ["a team's own rule", { pairs: 3 }, '422 UNPROCESSABLE_ENTITY', 'pairs ODD_NUMBER'],
    [
      'a missing field that another field requires',
      { isGift: true },
      '400 VALIDATION_FAILED',
      'greeting REQUIRED',
    ],
  ])('refuses %s', async (_name, change, ...faults) => {
    expect(await faultsOf(post('order', { ...ORDER, ...change }))).toEqual(faults);
  });

  it('validates nested objects, and waits for asynchronous rules', async () => {
    const body = {
      ...ORDER,
      address: { street: '', city: 'Bergen', zip: '5003' },
      lines: [{ quantity: 1 }, { quantity: 0, note: 7 }, 'x', { amount: 2 }],
    };
    const [status, ...faults] = await faultsOf(post('order', body));
    expect([status, ...faults.sort()]).toEqual([
      '400 VALIDATION_FAILED',
      'address.city NOT_ALLOWED',
      'address.street TOO_SHORT',
      'address.zip UNKNOWN_FIELD',
      'lines.1.note WRONG_TYPE',
      'lines.1.quantity TOO_SMALL',
      'lines.2 WRONG_TYPE',
      'lines.3.amount UNKNOWN_FIELD',
      'lines.3.quantity REQUIRED',
    ]);
  });

  it('reports the message of a rule', async () => {
    const { body } = await post('order', { ...ORDER, name: 'x', email: undefined });
    expect((body as Envelope).error.details).toEqual([
      { field: 'email', code: 'REQUIRED', message: 'is required' },
      { field: 'name', code: 'TOO_SHORT', message: 'name is of 2 to 5 letters' },
    ]);
  });

  it.each([
    ['an array', [], 'INVALID_JSON'],
    ['text', '"x"', 'INVALID_JSON'],
    ['nothing', undefined, 'INVALID_JSON'],
  ])('accepts only an object, not %s', async (_name, body, code) => {
    expect((await faultsOf(post('order', body)))[0]).toBe(`400 ${code}`);
  });
});

describe('stock decorators together with field decorators', () => {
  it('both apply, with one fault per code', async () => {
    expect(await faultsOf(post('mixed', { email: 'x'.repeat(30), kind: 'c' }))).toEqual([
      '422 UNPROCESSABLE_ENTITY',
      'email BAD_FORMAT',
      'email TOO_LONG',
      'kind NOT_ALLOWED',
    ]);
  });

  it('allow a field to be absent with @IsOptional(), but null stays a wrong type', async () => {
    expect((await post('mixed', { email: 'a@b.no', kind: 'a' })).status).toBe(201);
    expect(await faultsOf(post('mixed', { email: 'a@b.no', kind: 'a', price: null }))).toEqual([
      '400 VALIDATION_FAILED',
      'price WRONG_TYPE',
    ]);
    expect(await faultsOf(post('mixed', { email: 'a@b.no', kind: 'a', price: -1 }))).toEqual([
      '422 UNPROCESSABLE_ENTITY',
      'price TOO_SMALL',
    ]);
  });

  it('apply @Transform() to the value that is sent, and a value that it cannot handle is not a server error', async () => {
    expect((await post('trimmed', { name: '  lamp ' })).body).toEqual({ name: 'lamp' });
    expect(await faultsOf(post('trimmed', { name: 5 }))).toEqual([
      '400 VALIDATION_FAILED',
      'name WRONG_TYPE',
    ]);
    expect(await faultsOf(post('trimmed', { name: '   ' }))).toEqual([
      '422 UNPROCESSABLE_ENTITY',
      'name TOO_SHORT',
    ]);
  });
});

describe('@Query()', () => {
  it('is read with the types of its DTO', async () => {
    const path = 'search?page=2&open=false&colour=red&ids=1&ids=2&since=2026-11-20';
    expect((await get(path)).body).toEqual({
      page: 2,
      open: false,
      colour: 'red',
      ids: [1, 2],
      since: '2026-11-20T00:00:00.000Z',
      types: ['number', 'boolean', 'string', 'object', 'object'],
    });
    expect((await get('search?ids=7')).body).toMatchObject({ page: 1, ids: [7] });
  });

  it.each([
    ['page=1e3', '400 INVALID_QUERY', 'page WRONG_TYPE'],
    ['page=0', '422 UNPROCESSABLE_ENTITY', 'page TOO_SMALL'],
    ['open=yes', '400 INVALID_QUERY', 'open WRONG_TYPE'],
    ['colour=blue', '400 INVALID_QUERY', 'colour NOT_ALLOWED'],
    ['ids=1&ids=x', '400 INVALID_QUERY', 'ids.1 WRONG_TYPE'],
    ['size=1', '400 INVALID_QUERY', 'size UNKNOWN_FIELD'],
    ['page=1&page=2', '400 INVALID_QUERY', 'page REPEATED'],
    ['page=%ff', '400 INVALID_QUERY', ' BAD_CHARACTER'],
  ])('refuses %s with a DTO', async (query, ...faults) => {
    expect(await faultsOf(get(`search?${query}`))).toEqual(faults);
  });

  it('is a number or a boolean if it is declared so', async () => {
    expect((await get('typed?page=3&open=true&word=5')).body).toEqual({ page: 3, open: true, word: '5' });
    expect((await get('typed')).body).toEqual({});
    expect(await faultsOf(get('typed?page=x'))).toEqual(['400 INVALID_QUERY', 'page WRONG_TYPE']);
    expect(await faultsOf(get('typed?pages=1'))).toEqual(['400 INVALID_QUERY', 'pages UNKNOWN_FIELD']);
    expect(await faultsOf(get('typed?word=a%00'))).toEqual(['400 INVALID_QUERY', 'word BAD_CHARACTER']);
    expect(await faultsOf(get('typed?word=a&word=b'))).toEqual(['400 INVALID_QUERY', 'word REPEATED']);
  });

  it('is the result of its pipes, and their errors name it', async () => {
    expect((await get('parsed?ids=1,2&open=true')).body).toEqual({ limit: 10, ids: [1, 2], open: true });
    expect(await faultsOf(get('parsed?limit=x'))).toEqual(['400 INVALID_QUERY', 'limit WRONG_TYPE']);
    expect(await faultsOf(get('parsed?open=x'))).toEqual(['400 INVALID_QUERY', 'open WRONG_TYPE']);
  });
});

describe('a ValidationPipe of a route', () => {
  const piped = (path: string, body: unknown) => editor.post(`/api/v1/piped/${path}`, body);

  it("receives what the application's pipe has read, and does not change what that pipe refuses", async () => {
    const body = { name: 'a', note: 'b' };
    expect((await piped('class', body)).body).toEqual(body);
    expect((await piped('own', body)).body).toEqual({ is: 'TidyDto' });
    for (const path of ['class', 'own'])
      expect(await faultsOf(piped(path, { name: 5, note: 'longer', extra: 1 }))).toEqual([
        '400 VALIDATION_FAILED',
        'name WRONG_TYPE',
        'extra UNKNOWN_FIELD',
        'note TOO_LONG',
      ]);
  });
});

describe('@Param()', () => {
  const UUID = '0197d3a0-7c1e-7b2a-9d4f-3b1c5e6f7a8b';

  it('is the result of its pipes and its type', async () => {
    expect((await get('numbers/7')).body).toEqual({ id: 7 });
    expect((await get(`uuids/${UUID}`)).body).toEqual({ id: UUID });
    expect((await get('places/3/b')).body).toEqual({ row: 3, seat: 'b' });
  });

  it.each([
    ['numbers/x', 'id WRONG_TYPE'],
    ['places/x/b', 'row WRONG_TYPE'],
    ['texts/a%00', 'text BAD_CHARACTER'],
  ])('refuses %s', async (path, fault) => {
    expect(await faultsOf(get(path))).toEqual(['400 INVALID_ID', fault]);
  });

  it('is refused by a pipe of NestJS with the message of the pipe', async () => {
    expect(await faultsOf(get('uuids/x'))).toEqual(['400 BAD_REQUEST']);
  });

  it('is refused with 422 if its type is right but its value is not', async () => {
    expect(await faultsOf(get('places/0/b'))).toEqual(['422 UNPROCESSABLE_ENTITY', 'row TOO_SMALL']);
  });
});
