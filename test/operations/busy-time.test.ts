import { createDatabase, TestDatabase } from '../support/databases.js';
import { HOSTILE_TEXTS, HOSTILE_VALUES } from '../support/hostile.js';
import { MeasuredService, RawRequest } from '../support/measured-service.js';
import { createUser } from '../support/users.js';

const MAX_BUSY_MS = 50;
const MAX_ANSWER_BYTES = 64 * 1024;
const MIB = 1024 * 1024;
const PUBLIC_BODY = 16 * 1024;
const URL_ROOM = 8_000;

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly security?: readonly object[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
/** A route, as the OpenAPI document describes it. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly parameters: readonly string[];
  /** The fields of its body. */
  readonly fields: readonly string[];
}

let database: TestDatabase;
let service: MeasuredService;
let admin: Readonly<Record<string, string>>;
let routes: readonly Route[];

beforeAll(async () => {
  database = await createDatabase();
  service = await MeasuredService.start(database.url);
  const { email, password } = await createUser((text, values) => database.query(text, values), 'admin');
  const body = Buffer.from(JSON.stringify({ email, password }));
  const login = await service.send({ method: 'POST', path: '/login', body });
  admin = { authorization: `Bearer ${(JSON.parse(login.text) as { accessToken: string }).accessToken}` };
  const document = await service.send({ method: 'GET', path: '/docs/openapi.json' });
  routes = routesOf(JSON.parse(document.text) as Document);
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

/** All routes, except those of version 2 that equal a route of version 1. */
function routesOf({ paths, components }: Document): Route[] {
  const seen = new Set<string>();
  const all = Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody, security }]): Route => {
      const { schema } = Object.values(requestBody?.content ?? {})[0] ?? {};
      const body = schema?.$ref ? components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
      return {
        method: method.toUpperCase(),
        path: template.replaceAll(/\{\w+\}/g, '1'),
        isPublic: security?.length === 0 || security?.some((one) => Object.keys(one).length === 0) === true,
        parameters: parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : [])),
        fields: Object.keys(body?.properties ?? {}),
      };
    }),
  );
  return all.filter(({ method, path, fields }) => {
    const what = `${method} ${path.replace('/v2/', '/v1/')} ${fields.join()}`;
    return !seen.has(what) && seen.add(what);
  });
}

/** Describes what is wrong with the handling of a request. Returns `undefined` if nothing is. */
async function complaintOf(what: string, asked: RawRequest): Promise<string | undefined> {
  const { status, text, busyMs } = await service.measure(asked, MAX_BUSY_MS);
  const where = `${asked.method} ${asked.path.slice(0, 60)}, ${what}: ${status}`;
  if (busyMs > MAX_BUSY_MS) return `${where} keeps the event loop busy for ${Math.round(busyMs)} ms`;
  if (status >= 500) return `${where} ${text.slice(0, 200)}`;
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) return `${where} has ${text.length} characters`;
  const { error } = (status < 400 ? {} : JSON.parse(text)) as { error?: { status?: number } };
  return status >= 400 && error?.status !== status ? `${where} is not in the envelope` : undefined;
}

async function expectNoComplaints(requests: Iterable<[what: string, asked: RawRequest]>): Promise<void> {
  const complaints: string[] = [];
  let count = 0;
  for (const [what, asked] of requests) {
    count++;
    const complaint = await complaintOf(what, asked);
    if (complaint !== undefined) complaints.push(complaint);
  }
  expect(complaints).toEqual([]);
  expect(count).toBeGreaterThan(0);
}

const shapes = Object.entries(HOSTILE_VALUES);

/**
 * Bodies at the limit of a route: each shape as the whole body, in one field after the other, and in all
 * fields.
 */
function* bodiesOf({ fields }: Route, limit: number): Generator<[string, Buffer]> {
  const bodyOf = (names: readonly string[], make: (bytes: number) => string): Buffer => {
    const room = (limit - 100) / names.length - 30;
    return Buffer.from(`{${names.map((name) => `${JSON.stringify(name)}:${make(room)}`).join(',')}}`);
  };
  for (const [i, [shape, make]] of shapes.entries()) {
    const field = fields[i % fields.length];
    if (field === undefined) yield [shape, Buffer.from(make(limit - 100))];
    else yield [`${shape} as ${field}`, bodyOf([field], make)];
  }
  for (const [shape, make] of fields.length > 1 ? shapes.slice(0, 2) : []) {
    yield [`${shape} in every field`, bodyOf(fields, make)];
    yield [`${shape} as the body`, Buffer.from(make(limit - 100))];
  }
}

describe('the event loop is not kept busy', () => {
  const writes = (): Route[] => routes.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));

  it('by bodies that an administrator sends', async () => {
    await expectNoComplaints(
      writes().flatMap((route) =>
        [...bodiesOf(route, route.isPublic ? PUBLIC_BODY : MIB)].map(([what, body]): [string, RawRequest] => [
          what,
          { ...route, headers: admin, body },
        ]),
      ),
    );
  });

  it('by bodies that anybody sends', async () => {
    await expectNoComplaints(
      writes().flatMap((route) => {
        const bodies = [...bodiesOf(route, PUBLIC_BODY)];
        return (route.isPublic ? bodies : bodies.slice(0, 1)).map(([what, body]): [string, RawRequest] => [
          what,
          { ...route, body },
        ]);
      }),
    );
  });

  it('by query strings', async () => {
    const lists = routes.filter(({ parameters }) => parameters.length > 0);
    expect(lists.length).toBeGreaterThan(5);
    await expectNoComplaints(
      lists.flatMap(({ path, parameters }) =>
        Object.entries(HOSTILE_TEXTS).flatMap(([shape, make], i): [string, RawRequest][] => {
          const name = parameters[i % parameters.length] as string;
          const url = `${path}?${name}=${make(URL_ROOM - path.length - name.length, name)}`;
          return [[`${shape} as ${name}`, { method: 'GET', path: url.slice(0, URL_ROOM), headers: admin }]];
        }),
      ),
    );
  });

  const HEADERS = ['accept', 'authorization', 'cookie', 'x-api-key', 'if-none-match', 'if-match', 'origin'];
  const VALUES = ['a', ',', '"a",', 'a/b;q=0.1,', 'a=b;', 'session_id=1;', ' ', ';', 'W/', 'Bearer ', '\\"'];

  it('by headers', async () => {
    await expectNoComplaints(
      [...HEADERS, 'content-type', 'accept-encoding', 'x-forwarded-for', 'idempotency-key'].flatMap((name) =>
        VALUES.map((unit): [string, RawRequest] => {
          const value = unit.repeat(14_000 / unit.length);
          const headers = { ...admin, [name]: `x${value}x` };
          const isWrite = name === 'content-type' || name === 'idempotency-key';
          const path = isWrite ? '/api/v1/products' : '/api/v1/products/1';
          const body = isWrite ? Buffer.from('{}') : undefined;
          return [`${name}: ${unit}…`, { method: isWrite ? 'POST' : 'GET', path, headers, body }];
        }),
      ),
    );
  });
});
