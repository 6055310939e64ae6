import { FastifyInstance, InjectOptions } from 'fastify';

import { OwnApp } from '../../support/own-app.js';
import { AccessModel, Caller, Grant, Permission, Role, Row, ROLES } from './model.js';
import { Random } from './random.js';

type Headers = Readonly<Record<string, string>>;
export const PASSWORD = 'correct horse battery staple';

/** Credentials, and the caller that they currently prove. `null` means that they are answered with 401. */
export interface Credential {
  readonly name: string;
  readonly headers: Headers;
  caller(): Caller | null;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

interface User {
  readonly id: number;
  email: string;
  /** Counts the changes that have ended sessions. */
  logins: number;
}

/**
 * The service under test with its principals. It knows which credentials are valid, and keeps the model up to
 * date.
 */
export class World {
  readonly model = new AccessModel();
  readonly users = new Map<number, User>();
  readonly keys = new Map<number, { ownerId: number; permissions: readonly Permission[] }>();
  readonly credentials: Credential[] = [];
  private readonly server: FastifyInstance;
  private root: { id: number; headers: Headers };
  private emails = 0;

  private constructor(
    private readonly app: OwnApp,
    private readonly random: Random,
  ) {
    this.server = app.app.nest.getHttpAdapter().getInstance();
  }

  /** Creates an administrator who never changes, and principals of all kinds. */
  static async create(app: OwnApp, random: Random): Promise<World> {
    const world = new World(app, random);
    const { id, email, password } = await app.user('admin');
    world.addRow('user', id, { chain: { user: id }, ownerId: id });
    world.model.roles.set(id, 'admin');
    const login = await world.send('POST', '/api/v1/login', {}, { email, password });
    world.root = { id, headers: bearer(login) };
    for (const role of ['admin', 'editor', 'editor', 'viewer', 'viewer', 'viewer'] as const)
      await world.addUser(role);
    for (let i = 0; i < 8; i++) await world.addKey();
    return world;
  }

  /** Sends a request to the service in this process, and repeats it if the process was too busy. */
  async send(method: string, url: string, headers: Headers, payload?: object): Promise<Reply> {
    for (;;) {
      const answer = await this.server.inject({ method, url, headers, payload } as InjectOptions);
      if (answer.statusCode === 503) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        continue;
      }
      const body: unknown = answer.body === '' ? undefined : JSON.parse(answer.body);
      return { status: answer.statusCode, body };
    }
  }

  /** Sends a request as the administrator. @throws Error if it is refused */
  async asRoot(method: string, url: string, payload?: object): Promise<unknown> {
    const { status, body } = await this.send(method, url, this.root.headers, payload);
    if (status >= 300)
      throw new Error(`${method} ${url} ${JSON.stringify(payload)}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  isRoot(id: number): boolean {
    return id === this.root.id;
  }

  addRow(kind: keyof AccessModel['rows'], id: number, row: Row): void {
    this.model.rows[kind].set(id, row);
  }

  async addUser(role: Role): Promise<void> {
    const { id, email } = await this.app.user(role);
    const user: User = { id, email, logins: 0 };
    this.users.set(id, user);
    this.model.roles.set(id, role);
    this.addRow('user', id, { chain: { user: id }, ownerId: id });
    const basic = (): Headers => ({
      authorization: `Basic ${Buffer.from(`${user.email}:${PASSWORD}`).toString('base64')}`,
    });
    const { model } = this;
    this.credentials.push({
      name: `basic of user ${id}`,
      get headers() {
        return basic();
      },
      caller: () => this.createCaller(id, model.roles.get(id)),
    });
    await this.logIn(user);
  }

  /**
   * Creates a session and a token. A change of role ends the session, and the token's right to write
   * credentials.
   */
  async logIn(user: User): Promise<void> {
    const { id, email, logins } = user;
    const role = this.model.roles.get(id)!;
    const login = await this.server.inject({
      method: 'POST',
      url: '/api/v1/login',
      payload: { email, password: PASSWORD },
    });
    const session = [login.headers['set-cookie']].flat().find((cookie) => cookie?.startsWith('session_id='));
    const cookie = { cookie: session!.split(';')[0]!, 'sec-fetch-site': 'same-origin' };
    this.credentials.push(
      {
        name: `token of user ${id}, issued as ${role}`,
        headers: bearer({ status: login.statusCode, body: JSON.parse(login.body) }),
        caller: () => ({ userId: id, role, hasLoginEnded: user.logins !== logins }),
      },
      {
        name: `session of user ${id}`,
        headers: cookie,
        caller: () => (user.logins === logins ? this.createCaller(id, this.model.roles.get(id)) : null),
      },
    );
  }

  async addKey(): Promise<void> {
    const owner = this.random.pick([...this.users.values()]);
    const tokens = this.credentials.filter(
      ({ name, caller }) =>
        name === `token of user ${owner.id}, issued as ${this.model.roles.get(owner.id)!}` &&
        caller()?.hasLoginEnded === false,
    );
    if (tokens.length === 0) return;
    const permissions = this.random.subset(ROLES[this.model.roles.get(owner.id)!]);
    const made = await this.send('POST', '/api/v1/api-keys', tokens[0]!.headers, {
      name: 'key',
      permissions,
    });
    const { id, key } = made.body as { id: number; key: string };
    this.registerKey(id, key, owner.id, permissions);
  }

  registerKey(id: number, key: string, ownerId: number, permissions: readonly Permission[]): void {
    this.keys.set(id, { ownerId, permissions });
    this.addRow('key', id, { chain: {}, ownerId });
    this.credentials.push({
      name: `key ${id} of user ${ownerId}`,
      headers: { 'x-api-key': key },
      caller: () => {
        const held = this.keys.get(id);
        const caller = held && this.createCaller(ownerId, this.model.roles.get(ownerId));
        return caller ? { ...caller, key: { id, permissions: held.permissions } } : null;
      },
    });
  }

  setRole(id: number, role: Role): void {
    if (this.model.roles.get(id) === role) return;
    this.model.roles.set(id, role);
    const user = this.users.get(id);
    if (user) user.logins++;
  }

  uniqueAddress(): string {
    return `renamed-${++this.emails}@example.com`;
  }

  /** Removes a row and everything that is deleted with it. */
  async removeRow(kind: keyof AccessModel['rows'], id: number): Promise<void> {
    const { rows, roles, grants } = this.model;
    rows[kind].delete(id);
    const removeWhere = (from: Map<number, Row>, isGone: (row: Row) => boolean): void => {
      for (const [other, row] of from) if (isGone(row)) from.delete(other);
    };
    if (kind === 'key') this.removeKey(id);
    if (kind === 'product') removeWhere(rows.review, ({ chain }) => chain.product === id);
    if (kind === 'order') removeWhere(rows.item, ({ chain }) => chain.order === id);
    if (kind !== 'user') return;
    removeWhere(rows.review, ({ ownerId }) => ownerId === id);
    roles.delete(id);
    this.users.delete(id);
    for (const [key, { ownerId }] of this.keys) if (ownerId === id) this.removeKey(key);
    for (const [grant, { userId }] of grants) if (userId === id) grants.delete(grant);
  }

  removeKey(id: number): void {
    this.keys.delete(id);
    this.model.rows.key.delete(id);
    for (const [grant, { apiKeyId }] of this.model.grants)
      if (apiKeyId === id) this.model.grants.delete(grant);
  }

  addGrant(grant: Grant & { id: number }): void {
    this.model.grants.set(grant.id, grant);
  }

  /** A key that another key has created gets the denials of that key as grants of its own. */
  async addInheritedDenials(fromId: number, toId: number): Promise<void> {
    const denials = [...this.model.grants.values()].filter(
      ({ apiKeyId, effect }) => apiKeyId === fromId && effect === 'deny',
    );
    const { data } = (await this.asRoot('GET', `/api/v1/access-grants?apiKeyId=${toId}&limit=100`)) as {
      data: (Grant & { id: number })[];
    };
    const about = (grants: readonly Grant[]): string[] =>
      grants.map(({ resourceType, resourceId, permissions, effect }) =>
        JSON.stringify([resourceType, resourceId, [...permissions].sort(), effect]),
      );
    expect(about(data).sort()).toEqual(about(denials).sort());
    for (const grant of data) this.addGrant(grant);
  }

  private createCaller(userId: number, role: Role | undefined): Caller | null {
    return role === undefined ? null : { userId, role };
  }
}

const bearer = ({ body }: Reply): Headers => ({
  authorization: `Bearer ${(body as { accessToken: string }).accessToken}`,
});
