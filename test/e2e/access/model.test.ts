import { OwnApp, startInProcess } from '../../support/own-app.js';
import { Caller, Grant, Verdict } from './model.js';
import { Random } from './random.js';
import { ModelRequest, Requests } from './requests.js';
import { Credential, Reply, World } from './world.js';

/** Set the seed and the number of steps to repeat a run. `.ci/run` uses 20,000 steps. */
const SEED = Number(process.env['ACCESS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const STEPS = Number(process.env['ACCESS_STEPS'] ?? 2_000);
const READS_AT_ONCE = 12;
const WRITES_IN_A_ROW = 3;
const ROWS_AT_MOST = 40;
const KEYS_AT_MOST = 14;

/**
 * Sends random requests by random principals under random grants. Each response must match the model of the
 * contract.
 */
describe('access, against its model', () => {
  let app: OwnApp;
  let random: Random;
  let world: World;
  let requests: Requests;
  let history: string[];
  const seen = new Map<string, number>();

  beforeAll(async () => {
    random = new Random(SEED);
    // With one connection, a transaction that requests a second one waits for itself and is answered 503.
    app = await startInProcess({ RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '1000000', DATABASE_POOL_SIZE: '1' });
    history = [];
    world = await World.create(app, random);
    requests = new Requests(world, random);
    await tend();
  });
  afterAll(() => app.stop());

  /** Keeps a minimum of each kind of row, and a maximum that fits on one page. */
  async function tend(): Promise<void> {
    const { product, order, review, item } = world.model.rows;
    while (product.size < 4) {
      const made = await world.asRoot('POST', '/api/v1/products', { name: 'p', price: 1, category: 'c' });
      const { id } = made as { id: number };
      world.addRow('product', id, { chain: { product: id } });
    }
    while (world.users.size < 6) await world.addUser(random.pick(['editor', 'viewer', 'viewer']));
    while (world.keys.size < 7) await world.addKey();
    for (const [id] of [...world.keys].slice(0, Math.max(0, world.keys.size - KEYS_AT_MOST))) {
      await world.asRoot('DELETE', `/api/v1/api-keys/${id}`);
      world.removeKey(id);
    }
    while (order.size < 6) {
      const user = random.pick([...world.users.keys()]);
      const items = [{ productId: random.pick([...product.keys()]), quantity: 1 }];
      const made = (await world.asRoot('POST', `/api/v1/users/${user}/orders`, { items })) as never;
      const { id, items: lines } = made as { id: number; items: { id: number }[] };
      world.addRow('order', id, { chain: { order: id, user }, ownerId: user });
      for (const line of lines) world.addRow('item', line.id, { chain: { order: id, user }, ownerId: user });
    }
    for (const [kind, rows] of [
      ['order', order],
      ['product', product],
      ['review', review],
      ['item', item],
    ] as const) {
      if (rows.size > ROWS_AT_MOST) {
        const table = { order: 'orders', product: 'products', review: 'reviews', item: 'order_items' }[kind];
        const ids = [...rows.keys()].slice(0, rows.size / 2);
        await app.query(`delete from ${table} where id = any($1)`, [ids]);
        for (const id of ids) await world.removeRow(kind, id);
      }
    }
  }

  /** Changes that others make: they create and delete grants, change roles and keys, and delete users. */
  async function happen(): Promise<void> {
    const { grants, roles } = world.model;
    const what = random.next();
    const user = random.pick([...world.users.values()]);
    if (what < 0.5 && grants.size < 25) {
      const body = requests.grant();
      world.addGrant((await world.asRoot('POST', '/api/v1/access-grants', body)) as never);
      note(`grant ${JSON.stringify(body)}`);
    } else if (what < 0.85 && grants.size > 0) {
      const id = random.pick([...grants.keys()]);
      await world.asRoot('DELETE', `/api/v1/access-grants/${id}`);
      grants.delete(id);
    } else if (what < 0.9) {
      const role = random.pick(['admin', 'editor', 'viewer'] as const);
      await world.asRoot('PATCH', `/api/v1/users/${user.id}`, { role });
      world.setRole(user.id, role);
      await world.logIn(user);
      note(`user ${user.id} becomes ${role}`);
    } else if (what < 0.94 && world.keys.size > 0) {
      const [id, key] = random.pick([...world.keys]);
      const role = roles.get(key.ownerId)!;
      const permissions = random.subset(
        role === 'viewer' ? (['read'] as const) : (['create', 'read', 'update'] as const),
      );
      await world.asRoot('PATCH', `/api/v1/api-keys/${id}`, { permissions });
      key.permissions = permissions;
      note(`key ${id} may ${permissions.join()}`);
    } else if (what < 0.96 && world.keys.size > 0) {
      const id = random.pick([...world.keys.keys()]);
      await world.asRoot('DELETE', `/api/v1/api-keys/${id}`);
      world.removeKey(id);
    }
  }

  const note = (event: string): void => {
    history.push(event);
    if (history.length > 40) history.shift();
  };

  /**
   * Usually credentials that are still valid. In half of the cases those of somebody whom a grant concerns,
   * aimed at the resource of the grant.
   */
  function anyCredential(): Credential {
    const { grants } = world.model;
    const grant = grants.size > 0 && random.chance(0.5) ? random.pick([...grants.values()]) : undefined;
    requests.paths.target = grant;
    if (random.chance(0.05)) return random.pick(world.credentials);
    const good = world.credentials.filter((credential) => credential.caller());
    const borne = good.filter((credential) => grant && bears(grant, credential.caller()!));
    return random.pick(borne.length > 0 ? borne : good);
  }

  function expected(asked: ModelRequest, caller: Caller | null): Verdict {
    const isWrite = asked.question.permission !== 'read';
    // A token stays valid after its user is deleted, but can no longer write.
    if (!caller || (isWrite && !world.model.roles.has(caller.userId))) return 401;
    const verdict = world.model.judge(caller, asked.question);
    if (typeof verdict !== 'object' || !asked.filter) return verdict;
    const { type, id } = asked.filter;
    return verdict.filter(
      (row) => world.model.rows[asked.question.kind as 'order'].get(row)?.chain[type] === id,
    );
  }

  /** @returns a description of what is wrong with a response, or `undefined` */
  function difference(
    asked: ModelRequest,
    wanted: Verdict,
    { status, body }: Reply,
    caller: Caller | null,
  ): string | undefined {
    if (status >= 500 || status === 400) return `answered ${status} ${JSON.stringify(body)}`;
    const isUnknown = caller && asked.products?.some((product) => world.model.isUnknown(caller, product));
    const isRefused = JSON.stringify(body ?? null).includes('PRODUCT_NOT_FOUND') && status === 422;
    // Orders check their products before the user whom the order is for.
    if (wanted === 404 && isUnknown && isRefused) return undefined;
    const got = [401, 403, 404].includes(status) ? status : 'allowed';
    if (got !== (typeof wanted === 'object' ? 'allowed' : wanted)) {
      return `${status} ${JSON.stringify(body)}, not ${JSON.stringify(wanted)}`;
    }
    if (asked.products && status !== 409 && got === 'allowed' && isUnknown !== isRefused) {
      return `${status}: a product ${isUnknown ? 'was' : 'was not'} known`;
    }
    if (typeof wanted === 'object' && body) {
      const { data, pagination } = body as { data: { id: number }[]; pagination: { total?: number } };
      const ids = data.map(({ id }) => id).sort((a, b) => a - b);
      const rows = [...wanted].sort((a, b) => a - b);
      if (ids.join() !== rows.join()) return `lists ${ids.join()}, not ${rows.join()}`;
      if (pagination.total !== undefined && pagination.total !== rows.length)
        return `a total of ${pagination.total}`;
    }
    return undefined;
  }

  async function step(asked: ModelRequest, credential: Credential): Promise<void> {
    const caller = credential.caller();
    const wanted = expected(asked, caller);
    const reply = await world.send(asked.method, asked.url, credential.headers, asked.body);
    const cell = `${asked.method} ${asked.question.kind} ${typeof wanted === 'object' ? 'list' : wanted}`;
    seen.set(cell, (seen.get(cell) ?? 0) + 1);
    const request = `${credential.name}: ${asked.method} ${asked.url} ${asked.body ? JSON.stringify(asked.body) : ''}`;
    const wrong = difference(asked, wanted, reply, caller);
    if (wrong) throw new Error(`${request}: ${wrong}\n${explained(caller)}`);
    if (asked.method === 'GET' || asked.method === 'HEAD') return;
    note(`${request} → ${reply.status}`);
    if (reply.status < 300) await asked.apply?.(reply.body as never, caller);
  }

  const explained = (caller: Caller | null): string => {
    const grants = [...world.model.grants.values()].filter((grant) => caller && bears(grant, caller));
    return [
      `caller ${JSON.stringify(caller)}, role now ${world.model.roles.get(caller?.userId ?? 0)}`,
      `grants ${JSON.stringify(grants)}`,
      ...history,
      ...app.log
        .filter(({ level }) => Number(level) >= 50)
        .slice(-2)
        .map((line) => JSON.stringify(line)),
      `ACCESS_SEED=${SEED} ACCESS_STEPS=${STEPS} repeats it`,
    ].join('\n');
  };

  it(`answers ${STEPS} random requests as the contract says (seed ${SEED})`, async () => {
    const started = process.cpuUsage();
    for (let steps = 0; steps < STEPS; steps += READS_AT_ONCE + WRITES_IN_A_ROW) {
      const reads = Array.from({ length: READS_AT_ONCE }, () => {
        const credential = anyCredential();
        return [requests.read(credential.caller()?.userId), credential] as const;
      });
      await Promise.all(reads.map(([asked, credential]) => step(asked, credential)));
      for (let i = 0; i < WRITES_IN_A_ROW; i++) {
        const credential = anyCredential();
        await step(requests.write(), credential);
      }
      if (random.chance(0.5)) await happen();
      await tend();
    }
    const { user, system } = process.cpuUsage(started);
    if (process.env['ACCESS_REPORT']) {
      const cells = [...seen].sort().map(([cell, count]) => `${cell}: ${count}`);
      console.log([`${(user + system) / 1e6} s of CPU`, ...cells].join('\n'));
    }
    // Makes sure that enough kinds of requests were sent: an empty model agrees with everything.
    expect(seen.size).toBeGreaterThan(60);
  }, 600_000);
});

const bears = ({ userId, apiKeyId }: Grant, caller: Caller): boolean =>
  userId === caller.userId || (caller.key !== undefined && apiKeyId === caller.key.id);
