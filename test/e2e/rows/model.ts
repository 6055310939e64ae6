/**
 * The rules of row access, written from `docs/row-access.md`, independently of the code, and short enough to be read at
 * once. The model holds the existing rows and tells how each request must be answered.
 */
export type Permission = 'create' | 'read' | 'update' | 'delete';
export type Role = 'admin' | 'editor' | 'viewer';
export type Kind = 'ticket' | 'comment' | 'reaction';

export interface Caller {
  readonly userId: number;
  readonly role: Role;
  /** The company that the credential proves. A token keeps the company with which it was issued. */
  readonly companyId: number | null;
  /** The permissions of the role, or fewer for an API key. */
  readonly permissions: readonly Permission[];
  readonly isKey?: boolean;
}

export interface Grant {
  readonly userId: number;
  readonly ticketId: number;
  readonly permissions: readonly Permission[];
  readonly effect: 'allow' | 'deny';
}

/** `done` means neither 401, 403, 404 nor 422. */
export type Verdict = 'done' | 401 | 403 | 404 | 422 | readonly number[];

export const ROLES: Readonly<Record<Role, readonly Permission[]>> = {
  admin: ['create', 'read', 'update', 'delete'],
  editor: ['create', 'read', 'update', 'delete'],
  viewer: ['create', 'read', 'update'],
};

export class RowModel {
  readonly companies = new Set<number>();
  /** The current company of each user. */
  readonly users = new Map<number, number | null>();
  /** The company of each ticket, the ticket of each comment, and the comment of each reaction. */
  readonly rows: Readonly<Record<Kind, Map<number, number>>> = {
    ticket: new Map(),
    comment: new Map(),
    reaction: new Map(),
  };
  /** The user to whom each ticket is assigned. */
  readonly assignees = new Map<number, number | null>();
  readonly grants = new Map<number, Grant>();

  list(caller: Caller, kind: Kind, ticketId?: number): Verdict {
    if (ticketId !== undefined && this.isDenied(caller, 'read', ticketId)) return 403;
    if (!this.mayAtAll(caller, 'read', ticketId)) return 403;
    const ids = [...this.rows[kind].keys()].filter((id) => {
      const ticket = this.ticketOf(kind, id);
      return (
        (ticketId === undefined || ticket === ticketId) &&
        this.isOpen(caller, 'read', ticket) &&
        !this.isDenied(caller, 'read', ticket)
      );
    });
    if (ids.length > 0 || ticketId === undefined) return ids;
    return this.isKnown(caller, 'read', ticketId) ? [] : 404;
  }

  row(caller: Caller, kind: Kind, permission: Permission, id: number): Verdict {
    if (kind === 'ticket' && this.isDenied(caller, permission, id)) return 403;
    if (!this.mayAtAll(caller, permission, kind === 'ticket' ? id : undefined)) return 403;
    if (permission !== 'read' && this.isOutdated(caller)) return 401;
    if (!this.rows[kind].has(id)) return 404;
    const ticket = this.ticketOf(kind, id);
    const isAllowed = this.isOpen(caller, permission, ticket);
    if (!isAllowed && !this.isOpen(caller, 'read', ticket)) return 404;
    if (this.isDenied(caller, permission, ticket)) return 403;
    return isAllowed ? 'done' : 403;
  }

  createTicket(caller: Caller, companyId: number | undefined, assigneeId: number | null): Verdict {
    if (!caller.permissions.includes('create')) return 403;
    const isStaff = caller.role === 'admin';
    if (!isStaff && caller.companyId === null && companyId === undefined) return 403;
    if (this.isOutdated(caller)) return 401;
    const isCompany = isStaff
      ? this.companies.has(companyId ?? 0)
      : companyId === undefined || companyId === caller.companyId;
    return isCompany && this.isAssignable(caller, assigneeId) ? 'done' : 422;
  }

  /** @param inPath whether the path names the ticket, instead of the body */
  createComment(caller: Caller, ticketId: number, inPath: boolean): Verdict {
    if (inPath && this.isDenied(caller, 'create', ticketId)) return 403;
    if (!caller.permissions.includes('create')) return 403;
    if (this.isOutdated(caller)) return 401;
    return this.mayBelong(caller, 'create', ticketId) ? 'done' : 422;
  }

  createReaction(caller: Caller, commentId: number): Verdict {
    if (!caller.permissions.includes('create')) return 403;
    if (this.isOutdated(caller)) return 401;
    if (!this.rows.comment.has(commentId)) return 422;
    return this.mayBelong(caller, 'create', this.ticketOf('comment', commentId)) ? 'done' : 422;
  }

  changeTicket(
    caller: Caller,
    id: number,
    change: { companyId?: number; assigneeId?: number | null },
  ): Verdict {
    const verdict = this.row(caller, 'ticket', 'update', id);
    if (verdict !== 'done') return verdict;
    const { companyId = this.rows.ticket.get(id), assigneeId = null } = change;
    const isKept = companyId === this.rows.ticket.get(id);
    // A ticket that only a grant opens stays in its company.
    const mayMove = caller.role === 'admin' && this.companies.has(companyId ?? 0);
    const isAssignable = this.assignees.get(id) === assigneeId || this.isAssignable(caller, assigneeId);
    return (isKept || mayMove) && isAssignable ? 'done' : 422;
  }

  moveComment(caller: Caller, id: number, ticketId: number): Verdict {
    const verdict = this.row(caller, 'comment', 'update', id);
    const before = this.rows.comment.get(id) ?? 0;
    if (verdict !== 'done' || before === ticketId) return verdict;
    return this.concerns(caller, before) && this.mayBelong(caller, 'update', ticketId) ? 'done' : 422;
  }

  ticketOf(kind: Kind, id: number): number {
    if (kind === 'ticket') return id;
    const parent = this.rows[kind].get(id) ?? 0;
    return kind === 'comment' ? parent : this.ticketOf('comment', parent);
  }

  private concerns({ role, companyId }: Caller, ticket: number): boolean {
    const company = this.rows.ticket.get(ticket);
    return role === 'admin' || (company !== undefined && company === companyId);
  }

  private isOpen(caller: Caller, permission: Permission, ticket: number): boolean {
    if (caller.permissions.includes(permission) && this.concerns(caller, ticket)) return true;
    return this.isGranted(caller, permission, ticket);
  }

  /** Whether there is any row with which the caller may do this. If not, the request is refused before rows are read. */
  private mayAtAll(caller: Caller, permission: Permission, ticket?: number): boolean {
    if (caller.permissions.includes(permission)) return true;
    return [...this.grants.values()].some(
      ({ ticketId }) =>
        (ticket === undefined || ticket === ticketId) && this.isGranted(caller, permission, ticketId),
    );
  }

  /** Whether the caller may know that a ticket exists. */
  private isKnown(caller: Caller, permission: Permission, ticket: number): boolean {
    if (!this.rows.ticket.has(ticket) || this.isDenied(caller, 'read', ticket)) return false;
    return (
      this.concerns(caller, ticket) ||
      this.isGranted(caller, 'read', ticket) ||
      this.isGranted(caller, permission, ticket)
    );
  }

  /** Whether a comment or a reaction that the caller writes may belong to a ticket. */
  private mayBelong(caller: Caller, permission: Permission, ticket: number): boolean {
    if (!this.rows.ticket.has(ticket) || this.isDenied(caller, permission, ticket)) return false;
    return this.concerns(caller, ticket) || this.isGranted(caller, permission, ticket);
  }

  private isAssignable({ role, companyId, userId }: Caller, user: number | null): boolean {
    if (user === null || user === userId) return true;
    if (!this.users.has(user)) return false;
    return role === 'admin' || (companyId !== null && this.users.get(user) === companyId);
  }

  private isOutdated({ userId, companyId }: Caller): boolean {
    return this.users.get(userId) !== companyId;
  }

  private isGranted({ userId, permissions, isKey }: Caller, permission: Permission, ticket: number): boolean {
    const isAllowed = [...this.grants.values()].some(
      (grant) =>
        grant.effect === 'allow' &&
        grant.userId === userId &&
        grant.ticketId === ticket &&
        grant.permissions.includes(permission),
    );
    // An API key needs the permission itself, too.
    return isAllowed && (!isKey || permissions.includes(permission));
  }

  private isDenied({ userId }: Caller, permission: Permission, ticket: number): boolean {
    return [...this.grants.values()].some(
      ({ effect, permissions, ...grant }) =>
        effect === 'deny' &&
        grant.userId === userId &&
        grant.ticketId === ticket &&
        (permissions.includes('read') || permissions.includes(permission)),
    );
  }
}
