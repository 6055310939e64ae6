import { GRANTABLE_TYPES, Grant, Kind, Question } from './model.js';
import { Random } from './random.js';
import { World } from './world.js';

const UNKNOWN_ID = 999_999;

/** A path, and the question to the model that it poses. */
export interface Path {
  readonly url: string;
  readonly kind: Kind;
  readonly pathIds: Question['pathIds'];
  readonly id?: number;
}

/** Random paths of the API, mostly to existing rows, and mostly under their own parents. */
export class Paths {
  /** The resource of a grant, at which most paths are aimed. */
  target: Pick<Grant, 'resourceType' | 'resourceId'> | undefined;

  constructor(
    private readonly world: World,
    private readonly random: Random,
  ) {}

  listPath(): Path {
    const { rows } = this.world.model;
    const prefix = this.prefix();
    const which = this.random.pick([
      'product',
      'review',
      'user',
      'order',
      'item',
      'grant',
      'key',
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
      key: 'api-keys',
    };
    if (which === 'reviews of') {
      const product = this.pickId('product');
      return { url: `${prefix}/products/${product}/reviews`, kind: 'review', pathIds: { product } };
    }
    if (which === 'orders of') {
      const user = this.pickId('user');
      return { url: `${prefix}/users/${user}/orders`, kind: 'order', pathIds: { user } };
    }
    if (which === 'items of') {
      const order = this.pickId('order');
      const user = this.pickParent(rows.order.get(order)?.chain.user, 'user');
      return { url: `${prefix}/users/${user}/orders/${order}/items`, kind: 'item', pathIds: { user, order } };
    }
    return { url: `${prefix}/${flat[which]}`, kind: which, pathIds: {} };
  }

  /** @param isWrite whether to choose only among the paths that accept writes */
  rowPath(callerId: number | undefined, isWrite = false): Path {
    const { random, world } = this;
    const { rows, grants } = world.model;
    const prefix = this.prefix();
    const kinds: readonly Kind[] = [
      'product',
      'review',
      'review',
      'user',
      'order',
      'order',
      'item',
      'key',
      ...(isWrite ? [] : (['me', 'grant'] as const)),
    ];
    const { target } = this;
    const aimed = kinds.filter((each) => target && GRANTABLE_TYPES[each].includes(target.resourceType));
    const kind = random.pick(aimed.length > 0 && random.chance(0.6) ? aimed : kinds);
    if (kind === 'me') {
      const user = callerId ?? 0;
      return { url: `${prefix}/users/me`, kind, pathIds: { user }, id: user };
    }
    if (kind === 'grant') {
      const id = random.pick([...grants.keys(), UNKNOWN_ID]);
      return { url: `${prefix}/access-grants/${id}`, kind, pathIds: {}, id };
    }
    const id = this.pickId(kind, isWrite);
    const isFlat = !isWrite && random.chance(0.5);
    if (kind === 'product') return { url: `${prefix}/products/${id}`, kind, pathIds: { product: id }, id };
    if (kind === 'user') return { url: `${prefix}/users/${id}`, kind, pathIds: { user: id }, id };
    if (kind === 'key') return { url: `${prefix}/api-keys/${id}`, kind, pathIds: {}, id };
    const chain = rows[kind].get(id)?.chain ?? {};
    if (kind === 'review') {
      if (isFlat) return { url: `${prefix}/reviews/${id}`, kind, pathIds: { review: id }, id };
      const product = this.pickParent(chain.product, 'product');
      return {
        url: `${prefix}/products/${product}/reviews/${id}`,
        kind,
        pathIds: { product, review: id },
        id,
      };
    }
    const user = this.pickParent(chain.user, 'user');
    if (kind === 'order') {
      if (isFlat) return { url: `${prefix}/orders/${id}`, kind, pathIds: { order: id }, id };
      return { url: `${prefix}/users/${user}/orders/${id}`, kind, pathIds: { user, order: id }, id };
    }
    if (isFlat) return { url: `${prefix}/order-items/${id}`, kind, pathIds: {}, id };
    const order = this.pickParent(chain.order, 'order');
    return { url: `${prefix}/users/${user}/orders/${order}/items/${id}`, kind, pathIds: { user, order }, id };
  }

  prefix(): string {
    return this.random.pick(['/api', '/api/v1', '/api/v2']);
  }

  pickId(kind: 'product' | 'review' | 'user' | 'order' | 'item' | 'key', isWrite = false): number {
    if (this.random.chance(0.08)) return UNKNOWN_ID;
    const rows = [...this.world.model.rows[kind]].filter(
      ([id]) => kind !== 'user' || !isWrite || !this.world.isRoot(id),
    );
    const { target } = this;
    const aimed = rows.filter(([, { chain }]) => target && chain[target.resourceType] === target.resourceId);
    const ids = (aimed.length > 0 && this.random.chance(0.7) ? aimed : rows).map(([id]) => id);
    return ids.length > 0 ? this.random.pick(ids) : UNKNOWN_ID;
  }

  /** Mostly the parent of a row, sometimes another one. */
  pickParent(id: number | undefined, kind: 'product' | 'user' | 'order'): number {
    return id === undefined || this.random.chance(0.1) ? this.pickId(kind) : id;
  }
}
