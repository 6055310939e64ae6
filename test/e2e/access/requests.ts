import { Grant, Kind, Permission, Question, Type } from './model.js';
import { Random } from './random.js';
import { World } from './world.js';

/** A request with the question that it puts to the model, and what a success of it makes of the world. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
  readonly question: Question;
  /** Of a list: the rows that its query asks for. */
  readonly filter?: { readonly type: Type; readonly id: number };
  /** The products that an order is about. */
  readonly products?: readonly number[];
  apply?(body: never): void | Promise<void>;
}

const UNKNOWN = 999_999;

interface Path {
  readonly url: string;
  readonly kind: Kind;
  readonly named: Question['named'];
  readonly id?: number;
}

/** Random requests over the whole of the API, about rows that are there and rows that are not. */
export class Requests {
  constructor(
    private readonly world: World,
    private readonly random: Random,
  ) {}

  read(callerId: number | undefined): Asked {
    const { random } = this;
    const isList = random.chance(0.45);
    const path = isList ? this.listPath() : this.rowPath(callerId);
    const method = random.chance(0.05) ? 'HEAD' : 'GET';
    const asked = { method, url: path.url, question: { ...path, permission: 'read' as const } };
    if (!isList) return asked;
    const type = ({ review: 'product', order: 'user' } as const)[path.kind as 'review' | 'order'] as
      Type | undefined;
    const filter =
      type && path.named[type] === undefined && random.chance(0.2)
        ? { type, id: this.idOf(type) }
        : undefined;
    const query = [
      random.chance(0.2) ? 'cursor=' : 'page=1',
      'limit=100',
      filter && `${filter.type}Id=${filter.id}`,
    ];
    return { ...asked, url: `${path.url}?${query.filter(Boolean).join('&')}`, filter };
  }

  write(): Asked {
    const { random } = this;
    if (random.chance(0.25)) return this.creation();
    const path = this.rowPath(undefined, true);
    if (random.chance(path.kind === 'user' ? 0.1 : 0.2)) {
      return {
        method: 'DELETE',
        url: path.url,
        question: { ...path, permission: 'delete' },
        apply: () => this.world.removed(path.kind as 'product', path.id!),
      };
    }
    return this.change(path);
  }

  private change(path: Path): Asked {
    const { random, world } = this;
    const { url, kind, id } = path;
    const question = { ...path, permission: 'update' as const };
    const patch = (body: object, more: Partial<Asked> = {}): Asked => ({
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
    if (kind === 'item') return patch({ quantity: random.pick([1, 2, 3]) });
    if (kind === 'order') {
      const status = random.pick([undefined, 'cancelled', 'paid', 'shipped', 'delivered']);
      const isStaffs = status !== undefined && status !== 'cancelled';
      return patch({ status }, { question: { ...question, isStaffs } });
    }
    const whose = random.next();
    const field = (name: 'login' | 'role'): Question => ({ ...question, field: name });
    if (whose < 0.5) return patch({ name: 'renamed' });
    if (whose < 0.8) {
      const email = world.emailOf();
      return patch(
        { email },
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
          world.roleChanged(id!, role);
        },
      },
    );
  }

  private creation(): Asked {
    const { random, world } = this;
    const { rows } = world.model;
    const create = (
      kind: Kind,
      url: string,
      named: Question['named'],
      body: object,
      more: Partial<Asked>,
    ): Asked => ({
      method: 'POST',
      url: this.prefix() + url,
      body,
      question: { kind, permission: 'create', named },
      ...more,
    });
    const kind = random.pick(['product', 'review', 'order', 'item', 'grant'] as const);
    if (kind === 'grant')
      return create('grant', '/access-grants', {}, this.grant(), {
        apply: (made: Grant & { id: number }) => {
          world.granted(made);
        },
      });
    const product = this.idOf('product');
    if (kind === 'product') {
      const body = { name: 'made', price: 1, category: 'a' };
      return create(kind, '/products', {}, body, {
        apply: ({ id }: { id: number }) => {
          world.exists('product', id, { chain: { product: id } });
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
            world.exists('review', id, { chain: { review: id, product }, ownerId: userId });
          },
        },
      );
    }
    const item = ({ id }: { id: number }, order: number, user: number): void => {
      world.exists('item', id, { chain: { order, user }, ownerId: user });
    };
    if (kind === 'order') {
      const user = this.idOf('user');
      const body = { items: [{ productId: product, quantity: 1 }] };
      return create(kind, `/users/${user}/orders`, { user }, body, {
        products: [product],
        apply: ({ id, items }: { id: number; items: { id: number }[] }) => {
          world.exists('order', id, { chain: { order: id, user }, ownerId: user });
          for (const each of items) item(each, id, user);
        },
      });
    }
    const order = this.idOf('order');
    const user = this.parentOf(rows.order.get(order)?.chain.user, 'user');
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

  /** A grant on something that is there, mostly, to some user or key. */
  grant(): object {
    const { random, world } = this;
    const resourceType = random.pick(['product', 'user', 'order', 'review'] as const);
    const keys = [...world.keys.keys()];
    const whom =
      random.chance(0.45) && keys.length > 0
        ? { apiKeyId: random.pick(keys) }
        : { userId: random.pick([...world.users.keys()]) };
    const permissions = random.subset(['read', 'create', 'update', 'delete'] as Permission[]);
    const effect = random.chance(0.35) ? 'deny' : 'allow';
    return { resourceType, resourceId: this.idOf(resourceType), permissions, effect, ...whom };
  }

  private listPath(): Path {
    const { rows } = this.world.model;
    const prefix = this.prefix();
    const which = this.random.pick([
      'product',
      'review',
      'user',
      'order',
      'item',
      'grant',
      'reviews of',
      'orders of',
      'items of',
    ] as const);
    const flat = {
      product: 'products',
      review: 'reviews',
      user: 'users',
      order: 'orders',
      item: 'order-items',
      grant: 'access-grants',
    };
    if (which === 'reviews of') {
      const product = this.idOf('product');
      return { url: `${prefix}/products/${product}/reviews`, kind: 'review', named: { product } };
    }
    if (which === 'orders of') {
      const user = this.idOf('user');
      return { url: `${prefix}/users/${user}/orders`, kind: 'order', named: { user } };
    }
    if (which === 'items of') {
      const order = this.idOf('order');
      const user = this.parentOf(rows.order.get(order)?.chain.user, 'user');
      return { url: `${prefix}/users/${user}/orders/${order}/items`, kind: 'item', named: { user, order } };
    }
    return { url: `${prefix}/${flat[which]}`, kind: which, named: {} };
  }

  /** @param isWrite then by the paths alone that take writes */
  private rowPath(callerId: number | undefined, isWrite = false): Path {
    const { random, world } = this;
    const { rows, grants } = world.model;
    const prefix = this.prefix();
    const kind = random.pick([
      'product',
      'review',
      'review',
      'user',
      'order',
      'order',
      'item',
      ...(isWrite ? [] : ['me', 'grant']),
    ] as const) as Kind;
    if (kind === 'me') {
      const user = callerId ?? 0;
      return { url: `${prefix}/users/me`, kind, named: { user }, id: user };
    }
    if (kind === 'grant') {
      const id = random.pick([...grants.keys(), UNKNOWN]);
      return { url: `${prefix}/access-grants/${id}`, kind, named: {}, id };
    }
    const id = this.idOf(kind, isWrite);
    const isFlat = !isWrite && random.chance(0.5);
    if (kind === 'product') return { url: `${prefix}/products/${id}`, kind, named: { product: id }, id };
    if (kind === 'user') return { url: `${prefix}/users/${id}`, kind, named: { user: id }, id };
    const chain = rows[kind].get(id)?.chain ?? {};
    if (kind === 'review') {
      if (isFlat) return { url: `${prefix}/reviews/${id}`, kind, named: { review: id }, id };
      const product = this.parentOf(chain.product, 'product');
      return { url: `${prefix}/products/${product}/reviews/${id}`, kind, named: { product, review: id }, id };
    }
    const user = this.parentOf(chain.user, 'user');
    if (kind === 'order') {
      if (isFlat) return { url: `${prefix}/orders/${id}`, kind, named: { order: id }, id };
      return { url: `${prefix}/users/${user}/orders/${id}`, kind, named: { user, order: id }, id };
    }
    if (isFlat) return { url: `${prefix}/order-items/${id}`, kind, named: {}, id };
    const order = this.parentOf(chain.order, 'order');
    return { url: `${prefix}/users/${user}/orders/${order}/items/${id}`, kind, named: { user, order }, id };
  }

  private prefix(): string {
    return this.random.pick(['/api/v1', '/api/v1', '/api/v2']);
  }

  private idOf(kind: 'product' | 'review' | 'user' | 'order' | 'item', isWrite = false): number {
    if (this.random.chance(0.08)) return UNKNOWN;
    const ids = [...this.world.model.rows[kind].keys()].filter(
      (id) => kind !== 'user' || !isWrite || !this.world.isRoot(id),
    );
    return ids.length > 0 ? this.random.pick(ids) : UNKNOWN;
  }

  /** The parent of a row, mostly; sometimes another one. */
  private parentOf(id: number | undefined, kind: 'product' | 'user' | 'order'): number {
    return id === undefined || this.random.chance(0.1) ? this.idOf(kind) : id;
  }
}
