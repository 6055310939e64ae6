import { Answer, Client, PASSWORD as password, PASSWORD_HASH as hash } from '@plinth/dev/testing';

import { DEMO_ENTITIES, DEMO_USERS, seedDemo } from '../../seed/demo.js';
import { startOn, TestApp } from '../support/app.js';
import { cookieOf } from '../support/cookies.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';
import { basicOf } from '../support/schemes.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> };
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { example?: unknown }>> }>>;
}

interface Example {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly cookies: readonly string[];
  /** The first status of success. */
  readonly status: number;
  readonly shown: unknown;
}

/** Examples that are refused on purpose. */
const REFUSED: Readonly<Record<string, number>> = {
  // No user has the password that the document publishes.
  'POST /login': 401,
  'POST /users': 422,
  // The tokens of these two are sent by mail.
  'POST /auth/password-reset/confirm': 400,
  'POST /auth/email-verification/confirm': 400,
  // Ada has orders, and her order has a single item.
  'DELETE /users/42': 409,
  'DELETE /users/42/orders/42/items/42': 409,
};

describe('the examples of the OpenAPI document, on the demo data', () => {
  let database: TestDatabase;
  let app: TestApp;
  let seeded: OpenDatabase;
  let examples: Example[];
  /** The users of the demo data, in the order of their permissions, fewest first. */
  let callers: Client[];

  beforeAll(async () => {
    database = await createDatabase();
    app = await startOn(database, { DOCS: 'true' });
    seeded = await openDatabase(database.url, {}, [...DEMO_ENTITIES]);
    await seedDemo(seeded.dataSource, hash);
    const { body } = await app.anonymous.get('/docs/openapi.json');
    examples = examplesOf(body as never);
    callers = ['viewer', 'editor', 'admin'].map(clientOf);
  });
  afterAll(async () => {
    await seeded.close();
    await app.stop();
  });

  /**
   * Uses Basic, because an example may end a login, and the demo data replaces users together with their
   * logins.
   */
  function clientOf(role: string): Client {
    const { email = '' } = DEMO_USERS.find((user) => user.role === role) ?? {};
    return app.anonymous.with({ authorization: basicOf({ email, password }) });
  }

  const logIn = (email: string): Promise<Answer> => app.anonymous.post('/api/v1/login', { email, password });

  /** Sends an example as the first demo user who may. The client checks the response against the document. */
  async function execute({ method, path, body, cookies }: Example): Promise<Answer> {
    const headers: Record<string, string> = cookies.length > 0 ? { cookie: await cookiesFor(cookies) } : {};
    let answer: Answer | undefined;
    for (const caller of callers) {
      answer = await caller.request(method, path, { body, headers });
      if (answer.status !== 403) break;
    }
    return answer as Answer;
  }

  async function cookiesFor(names: readonly string[]): Promise<string> {
    const login = await logIn(DEMO_USERS[0]?.email ?? '');
    return names.map((name) => `${name}=${cookieOf(login, name)}`).join('; ');
  }

  it('are answered as documented, independently of each other', async () => {
    const failed: unknown[] = [];
    let isChanged = false;
    for (const example of examples) {
      const { method, path } = example;
      if (isChanged) await seedDemo(seeded.dataSource, hash);
      isChanged = method !== 'GET';
      const where = `${method} ${path.replace(/^\/api\/v\d/, '')}`;
      const expected = REFUSED[where] ?? example.status;
      const { status, text } = await execute(example);
      if (status !== expected) failed.push(`${where}: ${status}, not ${expected}: ${text}`);
    }
    expect(examples.length).toBeGreaterThan(100);
    expect(failed).toEqual([]);
  });

  it('show exactly the rows of the demo data', async () => {
    await seedDemo(seeded.dataSource, hash);
    const shown = examples.filter(({ method, path }) => method === 'GET' && path.endsWith('/42'));
    expect(shown.length).toBeGreaterThan(15);
    for (const example of shown) {
      // The entity tag depends on how often the demo data was written.
      const { etag } = (await execute(example)).body as { etag?: string };
      const expected = { ...(example.shown as object), ...(etag && { etag }) };
      expect([example.path, (await execute(example)).body]).toEqual([example.path, expected]);
    }
    const me = examples.find(({ path }) => path === '/api/v1/users/me') as Example;
    expect((await execute(me)).body).toEqual(me.shown);
  });

  it('do not overwrite the rows of a database that is in use', async () => {
    const own = await createDatabase();
    // The entities are classes, but the type of the options expects functions.
    const other = await openDatabase(own.url, {}, DEMO_ENTITIES as unknown as (() => unknown)[]);
    try {
      await own.query(`insert into products (id, name, price) values (100, 'Ours', 1)`);
      await expect(seedDemo(other.dataSource, hash)).rejects.toThrow(
        '--demo needs the ids from 35 to 100 of products, but other rows have some of these ids',
      );
      expect(await own.query('select name from products')).toEqual([{ name: 'Ours' }]);
      await own.query('delete from products');
      // A row that the first steps of the README create does not prevent loading the demo data.
      await own.query(`insert into products (name, price) values ('Lamp', 1)`);
      await seedDemo(other.dataSource, hash);
      expect(await own.query('select name from products where id in (1, 42) order by id')).toEqual([
        { name: 'Lamp' },
        { name: 'Walnut desk lamp' },
      ]);
      await own.query(`insert into products (name, price) values ('Ours', 1)`);
      await seedDemo(other.dataSource, hash);
      const [ours] = await own.query<{ id: number }>(`select id from products where name = 'Ours'`);
      expect(ours!.id).toBeGreaterThan(100);
    } finally {
      await other.close();
      await own.drop();
    }
  });
});

/** Builds one request per operation from its examples. */
function examplesOf({ paths }: { paths: Record<string, Record<string, Operation>> }): Example[] {
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, { parameters = [], requestBody, responses }]) => {
      const valueOf = (name: string): unknown => parameters.find((one) => one.name === name)?.example;
      const [status = '', { content = {} } = {}] =
        Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
      return {
        method: method.toUpperCase(),
        path: template.replaceAll(/\{(\w+)\}/g, (_place, name: string) => String(valueOf(name))),
        body: requestBody?.content['application/json']?.example,
        cookies: parameters.filter((one) => one.in === 'cookie').map(({ name }) => name),
        status: Number(status),
        shown: content['application/json']?.example,
      };
    }),
  );
}
