/**
 * The rules of access, written from the contract and the table of roles, independently of the code, and short
 * enough to be read at once. The model holds the existing rows and tells how each request must be answered.
 */
export type Type = 'product' | 'review' | 'user' | 'order';
export type Kind = Type | 'item' | 'me' | 'grant' | 'key';
export type Permission = 'create' | 'read' | 'update' | 'delete' | 'manage_users';
export type Role = 'admin' | 'editor' | 'viewer';

/** A row: the resources that it belongs to, including itself, and its owner. */
export interface Row {
  readonly chain: Partial<Record<Type, number>>;
  readonly ownerId?: number;
}
export interface Grant {
  readonly resourceType: Type;
  readonly resourceId: number;
  readonly userId: number | null;
  readonly apiKeyId: number | null;
  readonly permissions: readonly Permission[];
  readonly effect: 'allow' | 'deny';
}
/** A caller by its credentials. A token keeps the role with which it was issued. */
export interface Caller {
  readonly userId: number;
  readonly role: Role;
  /** The login of the token has ended: the token still reads, but neither creates nor changes credentials. */
  readonly hasLoginEnded?: boolean;
  readonly key?: { readonly id: number; readonly permissions: readonly Permission[] };
}
export interface Question {
  readonly kind: Kind;
  readonly permission: Exclude<Permission, 'manage_users'>;
  /** The ids in the path. */
  readonly pathIds: Partial<Record<Type, number>>;
  /** The id of the row, for requests about a single row. */
  readonly id?: number;
  /** Whether the request changes the e-mail or password of a user, or the role. */
  readonly field?: 'login' | 'role';
  /** The permissions that a new grant allows. */
  readonly allows?: readonly Permission[];
  /** A change that owners may not make: any change of an order's status except cancelling. */
  readonly isStaffOnly?: boolean;
}
/** `allowed` means neither 401, 403 nor 404. A list is answered with the ids of its rows. */
export type Verdict = 'allowed' | 401 | 403 | 404 | readonly number[];

export const ROLES: Readonly<Record<Role, readonly Permission[]>> = {
  admin: ['create', 'read', 'update', 'delete', 'manage_users'],
  editor: ['create', 'read', 'update'],
  viewer: ['read'],
};
/** The resources that grants on rows of each kind may name: the row itself and its parents. */
export const GRANTABLE_TYPES: Readonly<Record<Kind, readonly Type[]>> = {
  product: ['product'],
  review: ['review', 'product'],
  user: ['user'],
  me: ['user'],
  order: ['order', 'user'],
  item: ['order', 'user'],
  grant: [],
  key: [],
};
/** Stands for any id, if the path does not name one. */
const ANY = -1;

export class AccessModel {
  readonly roles = new Map<number, Role>();
  readonly grants = new Map<number, Grant>();
  readonly rows: Readonly<Record<Exclude<Kind, 'me' | 'grant'>, Map<number, Row>>> = {
    product: new Map(),
    review: new Map(),
    user: new Map(),
    order: new Map(),
    item: new Map(),
    key: new Map(),
  };

  judge(caller: Caller, question: Question): Verdict {
    const { kind, permission, pathIds, id } = question;
    if (kind === 'key') return this.judgeKey(caller, question);
    if (this.isDenied(caller, permission, pathIds)) return 403;
    if (!this.isOpen(caller, question, this.rowFromPath(caller, question))) return 403;
    if (caller.key && caller.userId === id && kind === 'user' && permission === 'delete') return 403;
    if (caller.hasLoginEnded && isAboutCredentials(question)) return 401;
    if (permission === 'create') return this.judgeCreation(caller, question);
    if (id === undefined) return kind === 'grant' ? 'allowed' : this.list(caller, question);
    if (kind === 'grant')
      return this.judgeCurrentRole(caller, question) ?? (this.grants.has(id) ? 'allowed' : 404);
    return this.judgeCurrentRole(caller, question) ?? this.judgeRow(caller, question, id);
  }

  /** Whether the caller cannot order a product, as if it did not exist. */
  isUnknown(caller: Caller, product: number): boolean {
    return !this.rows.product.has(product) || this.isDenied(caller, 'read', { product });
  }

  /** A row that the caller may not read is answered with 404, and so is a row under another parent. */
  private judgeRow(caller: Caller, question: Question, id: number): Verdict {
    const { kind, permission, pathIds, field } = question;
    const row = this.rows[kind === 'me' ? 'user' : (kind as 'product')].get(id);
    const types = Object.keys(pathIds) as Type[];
    if (!row || types.some((type) => row.chain[type] !== pathIds[type])) return 404;
    const isOpen = this.isOpen(caller, question, row);
    if (!isOpen && !this.isOpen(caller, { ...question, permission: 'read' }, row)) return 404;
    if (!isOpen || this.isDenied(caller, permission, row.chain)) return 403;
    if (!field) return 'allowed';
    // Otherwise an API key could take over the whole account.
    if (caller.key) return 403;
    if (this.permissionsNow(caller).includes('manage_users')) return 'allowed';
    return field === 'login' && caller.userId === id ? 'allowed' : 403;
  }

  private judgeCreation(caller: Caller, question: Question): Verdict {
    const { kind, pathIds } = question;
    const { product, user, order } = pathIds;
    if (kind === 'grant') {
      const isBeyondKey =
        caller.key &&
        question.allows?.some((each) => !this.permissionsHeld(caller, caller.role).includes(each));
      return this.judgeCurrentRole(caller, question) ?? (isBeyondKey ? 403 : 'allowed');
    }
    if (kind === 'item') return this.rows.order.get(order ?? 0)?.ownerId === user ? 'allowed' : 404;
    if (kind === 'review' && !this.rows.product.has(product ?? 0)) return 404;
    return kind === 'order' && !this.roles.has(user ?? 0) ? 404 : 'allowed';
  }

  /**
   * Judges requests about API keys: one's own, and those of all users with `manage_users`, which writes check
   * for the current role. A key needs the permission. Grants on the owner hide keys, but open none.
   */
  private judgeKey(caller: Caller, { permission, id }: Question): Verdict {
    const { key, userId, role } = caller;
    const isManager = (as: Role): boolean => this.permissionsHeld(caller, as).includes('manage_users');
    if (key && !this.permissionsHeld(caller, role).includes(permission)) return 403;
    const rows = [...this.rows.key].filter(([, { ownerId }]) => ownerId === userId || isManager(role));
    const now = this.roles.get(userId);
    const isHidden = (user: number | undefined): boolean => this.isDenied(caller, permission, { user });
    if (permission === 'create' && isHidden(userId)) return 403;
    if (caller.hasLoginEnded && permission !== 'read') return 401;
    if (permission === 'create') return this.permissionsHeld(caller, role).includes('read') ? 'allowed' : 403;
    if (id === undefined) return rows.flatMap(([each, { ownerId }]) => (isHidden(ownerId) ? [] : each));
    if (!rows.some(([each]) => each === id)) return 404;
    const { ownerId } = this.rows.key.get(id) ?? {};
    if (isHidden(ownerId)) return 403;
    const isOwn = ownerId === userId;
    return permission === 'read' || isOwn || (now && isManager(now)) ? 'allowed' : 403;
  }

  private list(caller: Caller, question: Question): Verdict {
    const { kind, pathIds } = question;
    const parents = Object.entries(pathIds) as [Type, number][];
    const rows = [...this.rows[kind as 'product']].filter(
      ([, row]) =>
        parents.every(([type, id]) => row.chain[type] === id) &&
        this.isOpen(caller, question, row) &&
        !this.isDenied(caller, 'read', row.chain),
    );
    if (rows.length > 0 || parents.length === 0) return rows.map(([id]) => id);
    if (kind === 'item') return this.judgeCreation(caller, question) === 404 ? 404 : [];
    // A parent is known to callers to whom it opens all of its rows. To others, each opened row makes it
    // known.
    const isWhole = this.isOpen(caller, question, { chain: pathIds, ownerId: pathIds.user });
    const [[type, id]] = parents as [[Type, number]];
    return isWhole && this.rows[type].has(id) ? [] : 404;
  }

  /**
   * A deny has precedence over an allow, and an allow over the role. A key may do what its owner may, limited
   * to its permissions and its own allows.
   */
  private isOpen(caller: Caller, question: Question, { chain, ownerId }: Row): boolean {
    const { kind, permission, pathIds, isStaffOnly = false } = question;
    const needed = kind === 'user' || kind === 'grant' ? 'manage_users' : permission;
    const isNotViewers = (kind === 'order' || kind === 'item') && permission === 'read';
    const owner = kind === 'user' ? pathIds.user : ownerId;
    const canOwn = kind !== 'product' && kind !== 'me' && !(kind === 'order' && permission === 'delete');
    const isOwn = canOwn && !isStaffOnly && (owner === ANY || owner === caller.userId);
    const allows = (isOfKey: boolean): boolean =>
      this.findGrants(caller).some(
        (grant) =>
          grant.effect === 'allow' &&
          (grant.apiKeyId !== null) === isOfKey &&
          covers(grant, permission, chain),
      );
    const ways: [isOpen: boolean, needed: Permission][] = [
      [ROLES[caller.role].includes(needed) && (!isNotViewers || caller.role !== 'viewer'), needed],
      [isOwn, permission],
      [allows(false), permission],
    ];
    const { key } = caller;
    const holds = (wanted: Permission): boolean =>
      !key || this.permissionsHeld(caller, caller.role).includes(wanted) || allows(true);
    // A key that manages users also needs the permission of the method.
    return ways.some(
      ([isWay, wanted]) => isWay && holds(wanted) && (wanted !== 'manage_users' || holds(permission)),
    );
  }

  /**
   * Denies of the owner and of the key both apply. A hidden row is denied completely, with all that belongs
   * to it.
   */
  private isDenied(caller: Caller, permission: Permission, chain: Row['chain']): boolean {
    const isAbout = (grant: Grant): boolean =>
      covers(grant, permission, chain) || covers(grant, 'read', chain);
    return this.findGrants(caller).some((grant) => grant.effect === 'deny' && isAbout(grant));
  }

  private findGrants({ userId, key }: Caller): Grant[] {
    const grants = [...this.grants.values()];
    return grants.filter((grant) => grant.userId === userId || (key && grant.apiKeyId === key.id));
  }

  private rowFromPath({ userId }: Caller, { kind, permission, pathIds }: Question): Row {
    if (permission === 'create')
      return { chain: pathIds, ownerId: kind === 'review' ? userId : pathIds.user };
    const open = Object.fromEntries(GRANTABLE_TYPES[kind].map((type) => [type, ANY]));
    const isUsers = kind === 'order' || kind === 'item';
    const isReviewsAuthors = kind === 'review' && permission !== 'read';
    const ownerId = isReviewsAuthors || (isUsers && pathIds.user === undefined) ? ANY : pathIds.user;
    return { chain: { ...open, ...pathIds }, ownerId };
  }

  /**
   * Writes that require `manage_users`, and writes of one's own account, check the current state of the
   * caller.
   */
  private judgeCurrentRole(caller: Caller, { kind, permission, pathIds, id }: Question): 403 | undefined {
    if (permission === 'read' || (kind !== 'user' && kind !== 'grant')) return undefined;
    const role = this.roles.get(caller.userId) ?? 'viewer';
    const isOpen = this.isOpen(
      { ...caller, role },
      { kind, permission, pathIds },
      { chain: pathIds, ownerId: id },
    );
    return isOpen ? undefined : 403;
  }

  private permissionsNow(caller: Caller): readonly Permission[] {
    return this.permissionsHeld(caller, this.roles.get(caller.userId) ?? 'viewer');
  }

  private permissionsHeld({ key }: Caller, role: Role): readonly Permission[] {
    return ROLES[role].filter((permission) => !key || key.permissions.includes(permission));
  }
}

const isAboutCredentials = ({ kind, permission, field }: Question): boolean =>
  (kind === 'grant' && permission !== 'read') ||
  (kind === 'user' && (permission === 'delete' || field !== undefined));

function covers(grant: Grant, permission: Permission, chain: Row['chain']): boolean {
  const id = chain[grant.resourceType];
  return grant.permissions.includes(permission) && (id === ANY || id === grant.resourceId);
}
