import { Caller, Grant, Kind, Permission, Question, Type } from './model.js';
import { Path, Paths } from './paths.js';
import { Random } from './random.js';
import { PASSWORD, World } from './world.js';

/** A request, the question that it poses to the model, and the effect of its success on the world. */
export interface ModelRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
  readonly question: Question;
  /** For a list: the rows that its query selects. */
  readonly filter?: { readonly type: Type; readonly id: number };
  /** The products of an order. */
  readonly products?: readonly number[];
  apply?(body: never, caller: Caller | null): void | Promise<void>;
}

/** Random requests to the whole API, about existing and missing rows. */
export class Requests {
  readonly paths: Paths;

  constructor(
    private readonly world: World,
    private readonly random: Random,
  ) {
    this.paths = new Paths(world, random);
  }

  read(callerId: number | undefined): ModelRequest {
    const { random } = this;
    const isList = random.chance(0.45);
    const path = isList ? this.paths.listPath() : this.paths.rowPath(callerId);
    const method = random.chance(0.05) ? 'HEAD' : 'GET';
    const asked = { method, url: path.url, question: { ...path, permission: 'read' as const } };
    if (!isList) return asked;
    const type = ({ review: 'product', order: 'user' } as const)[path.kind as 'review' | 'order'] as
      | Type
      | undefined;
    const filter =
      type && path.pathIds[type] === undefined && random.chance(0.2)
        ? { type, id: this.paths.pickId(type) }
        : undefined;
    const query = [
      random.chance(0.2) ? 'cursor=' : 'page=1',
      'limit=100',
      filter && `${filter.type}Id=${filter.id}`,
    ];
    return { ...asked, url: `${path.url}?${query.filter(Boolean).join('&')}`, filter };
  }

  write(): ModelRequest {
    const { random } = this;
    if (random.chance(0.35)) return this.creation();
    const path = this.paths.rowPath(undefined, true);
    if (random.chance(path.kind === 'user' ? 0.1 : 0.2)) {
      return {
        method: 'DELETE',
        url: path.url,
        question: { ...path, permission: 'delete' },
        apply: () => this.world.removeRow(path.kind as 'product', path.id!),
      };
    }
    return this.change(path);
  }

  private change(path: Path): ModelRequest {
    const { random, world } = this;
    const { url, kind, id } = path;
    const question = { ...path, permission: 'update' as const };
    const patch = (body: object, more: Partial<ModelRequest> = {}): ModelRequest => ({
      method: 'PATCH',
      url,
      body,
      question,
      ...more,
    });
    if (kind === 'product') {
      return random.chance(0.5) ? patch({}) : { ...patch({ name: 'replaced', price: 2 }), method: 'PUT' };
    }
    if (kind === 'review') return random.chance(0.5) ? patch({}) : { ...patch({ rating: 2 }), method: 'PUT' };
    if (kind === 'key') return patch({ name: 'renamed' });
    if (kind === 'item') return patch({ quantity: random.pick([1, 2, 3]) });
    if (kind === 'order') {
      const status = random.pick([undefined, 'cancelled', 'paid', 'shipped', 'delivered']);
      const isStaffs = status !== undefined && status !== 'cancelled';
      return patch({ status }, { question: { ...question, isStaffOnly: isStaffs } });
    }
    const whose = random.next();
    const field = (name: 'login' | 'role'): Question => ({ ...question, field: name });
    if (whose < 0.3) return patch({ name: 'renamed' });
    if (whose < 0.5) {
      const email = world.users.get(id!)?.email ?? 'nobody@example.com';
      const replacement = { ...patch({ email, name: 'replaced' }), method: 'PUT' };
      return world.users.has(id!) ? replacement : { ...replacement, question: field('login') };
    }
    if (whose < 0.8) {
      const email = world.uniqueAddress();
      return patch(
        // The service verifies this password too if the caller changes another user. All users have the same
        // one.
        { email, currentPassword: PASSWORD },
        {
          question: field('login'),
          apply: () => {
            const user = world.users.get(id!);
            if (user) user.email = email;
          },
        },
      );
    }
    const role = random.pick(['admin', 'editor', 'viewer'] as const);
    return patch(
      { role },
      {
        question: role === world.model.roles.get(id!) ? question : field('role'),
        apply: () => {
          world.setRole(id!, role);
        },
      },
    );
  }

  private creation(): ModelRequest {
    const { random, world } = this;
    const { rows } = world.model;
    const create = (
      kind: Kind,
      url: string,
      named: Question['pathIds'],
      body: object,
      more: Partial<ModelRequest>,
    ): ModelRequest => ({
      method: 'POST',
      url: this.paths.prefix() + url,
      body,
      question: { kind, permission: 'create', pathIds: named },
      ...more,
    });
    const kind = random.pick([
      'product',
      'review',
      'order',
      'order',
      'order',
      'item',
      'grant',
      'key',
    ] as const);
    if (kind === 'grant') {
      const grant = this.grant();
      const made = create('grant', '/access-grants', {}, grant, {
        apply: (made: Grant & { id: number }) => {
          world.addGrant(made);
        },
      });
      const allows = grant.effect === 'allow' ? grant.permissions : [];
      return { ...made, question: { ...made.question, allows } };
    }
    if (kind === 'key') {
      const permissions = ['read'] as const;
      return create(
        kind,
        '/api-keys',
        {},
        { name: 'made', permissions },
        {
          apply: async (
            { id, key, userId }: { id: number; key: string; userId: number },
            caller: Caller | null,
          ) => {
            world.registerKey(id, key, userId, permissions);
            if (caller?.key) await world.addInheritedDenials(caller.key.id, id);
          },
        },
      );
    }
    const product = this.paths.pickId('product');
    if (kind === 'product') {
      const body = { name: 'made', price: 1, category: 'a' };
      return create(kind, '/products', {}, body, {
        apply: ({ id }: { id: number }) => {
          world.addRow('product', id, { chain: { product: id } });
        },
      });
    }
    if (kind === 'review') {
      return create(
        kind,
        `/products/${product}/reviews`,
        { product },
        { rating: 4 },
        {
          apply: ({ id, userId }: { id: number; userId: number }) => {
            world.addRow('review', id, { chain: { review: id, product }, ownerId: userId });
          },
        },
      );
    }
    const item = ({ id }: { id: number }, order: number, user: number): void => {
      world.addRow('item', id, { chain: { order, user }, ownerId: user });
    };
    if (kind === 'order') {
      const user = this.paths.pickId('user');
      const body = { items: [{ productId: product, quantity: 1 }] };
      return create(kind, `/users/${user}/orders`, { user }, body, {
        products: [product],
        apply: ({ id, items }: { id: number; items: { id: number }[] }) => {
          world.addRow('order', id, { chain: { order: id, user }, ownerId: user });
          for (const each of items) item(each, id, user);
        },
      });
    }
    const order = this.paths.pickId('order');
    const user = this.paths.pickParent(rows.order.get(order)?.chain.user, 'user');
    return create(
      kind,
      `/users/${user}/orders/${order}/items`,
      { user, order },
      { productId: product, quantity: 1 },
      {
        products: [product],
        apply: (made: { id: number }) => {
          item(made, order, user);
        },
      },
    );
  }

  /** A grant to some user or key, mostly on an existing row. */
  grant(): Pick<Grant, 'resourceType' | 'resourceId' | 'permissions' | 'effect'> {
    const { random, world } = this;
    const resourceType = random.pick(['product', 'user', 'order', 'review'] as const);
    const keys = [...world.keys.keys()];
    const whom =
      random.chance(0.45) && keys.length > 0
        ? { apiKeyId: random.pick(keys) }
        : { userId: random.pick([...world.users.keys()]) };
    const permissions = random.subset(['read', 'create', 'update', 'delete'] as Permission[]);
    const effect = random.chance(0.45) ? ('deny' as const) : ('allow' as const);
    return { resourceType, resourceId: this.paths.pickId(resourceType), permissions, effect, ...whom };
  }
}
