/**
 * Who may do what, written from the contract and the table of roles, not from the code: small enough to be read in one
 * go. It holds the rows that exist and says, for each request, how it must be answered.
 */
export type Type = 'product' | 'review' | 'user' | 'order';
export type Kind = Type | 'item' | 'me' | 'grant' | 'key';
export type Permission = 'create' | 'read' | 'update' | 'delete' | 'manage_users';
export type Role = 'admin' | 'editor' | 'viewer';

/** A row by what it belongs to, itself among it, and whose it is. */
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
/** A caller as the credentials say: tokens keep the role that they were issued with. */
export interface Caller {
  readonly userId: number;
  readonly role: Role;
  /** The login of the token has ended: it still reads, and neither creates nor changes credentials. */
  readonly hasLoginEnded?: boolean;
  readonly key?: { readonly id: number; readonly permissions: readonly Permission[] };
}
export interface Question {
  readonly kind: Kind;
  readonly permission: Exclude<Permission, 'manage_users'>;
  /** What the path names. */
  readonly pathIds: Partial<Record<Type, number>>;
  /** The id of the row, for requests about one. */
  readonly id?: number;
  /** A change of a user's e-mail or password; or one to another role. */
  readonly field?: 'login' | 'role';
  /** The permissions that a new grant allows. */
  readonly allows?: readonly Permission[];
  /** A change that owners do not make: an order's status, other than to cancel it. */
  readonly isStaffOnly?: boolean;
}
/** `allowed`: neither 401, 403 nor 404. A list: its rows. */
export type Verdict = 'allowed' | 401 | 403 | 404 | readonly number[];

export const ROLES: Readonly<Record<Role, readonly Permission[]>> = {
  admin: ['create', 'read', 'update', 'delete', 'manage_users'],
  editor: ['create', 'read', 'update'],
  viewer: ['read'],
};
/** What grants on a kind's rows can be about: the row itself, and what it belongs to. */
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
/** Stands for every id, where the path leaves open which it is. */
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

  /** Whether a product is one that the caller cannot order, as if it did not exist. */
  isUnknown(caller: Caller, product: number): boolean {
    return !this.rows.product.has(product) || this.isDenied(caller, 'read', { product });
  }

  /** A row that the caller may not even read is not there; so is one under the path of another. */
  private judgeRow(caller: Caller, question: Question, id: number): Verdict {
    const { kind, permission, pathIds, field } = question;
    const row = this.rows[kind === 'me' ? 'user' : (kind as 'product')].get(id);
    const types = Object.keys(pathIds) as Type[];
    if (!row || types.some((type) => row.chain[type] !== pathIds[type])) return 404;
    const isOpen = this.isOpen(caller, question, row);
    if (!isOpen && !this.isOpen(caller, { ...question, permission: 'read' }, row)) return 404;
    if (!isOpen || this.isDenied(caller, permission, row.chain)) return 403;
    if (!field) return 'allowed';
    // A key would otherwise be worth the whole account.
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
   * One's own keys; with `manage_users`, for writes as the caller is now, those of all. A key needs the permission.
   * Grants on the owner hide them, and open none.
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
    // A parent is known to those to whom it opens all that belongs to it; else what is opened of it makes it known.
    const isWhole = this.isOpen(caller, question, { chain: pathIds, ownerId: pathIds.user });
    const [[type, id]] = parents as [[Type, number]];
    return isWhole && this.rows[type].has(id) ? [] : 404;
  }

  /** Deny beats allow beats role; a key does what its owner may, as far as it holds it or its own grants allow it. */
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
    // A key manages users as far as it holds the permission of the method, too.
    return ways.some(
      ([isWay, wanted]) => isWay && holds(wanted) && (wanted !== 'manage_users' || holds(permission)),
    );
  }

  /** Of the owner's denies and the key's, each counts. What is hidden is denied altogether, with what belongs to it. */
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

  /** Writes that need `manage_users`, and those of one's own account, look at the caller as they are now. */
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
