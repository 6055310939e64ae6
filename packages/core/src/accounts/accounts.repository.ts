import { EVERYTHING, AccessScope } from '../access/access-scope.js';
import { permissionDenied } from '../access/access.errors.js';
import { seesMoreRows } from '../access/row-limits.js';
import { resolveAccessScope } from '../access/resolve-scope.js';
import { NO_GRANTS } from '../access/grants.js';
import { Principal } from '../access/principal.js';
import { Attributes, administratorRole, MANAGE_USERS } from '../config/define-access.js';
import { BatchLoader } from '../database/batch-loader.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { userCallerKey } from '../database/replicas.js';
import { equalsAnySql } from '../database/entity-table.js';
import { canonicalEmail } from '../fields/email.js';
import { WritePreconditions } from '../http/caching/preconditions.js';
import { ResourceRepository } from '../resources/resource-repository.js';
import { Key } from '../resources/resource.js';
import { accountClass, AccountEntity } from './account.entity.js';
import { attributesSql } from './attributes.js';

/** The values that decide which rows concern a user. */
export interface CurrentAccount extends Pick<AccountEntity, 'role'> {
  readonly attributes: Attributes;
}

/**
 * Reads and writes users. In addition to what `ResourceRepository` does, it keeps `canonicalEmail` up to date, finds
 * users by any spelling of their e-mail, and ends logins of users.
 * @example constructor(private readonly users: AccountsRepository<User>) {}
 */
export class AccountsRepository<User extends AccountEntity = AccountEntity> extends ResourceRepository<User> {
  private readonly selectColumns = `${this.table.selectAll}, password_hash as "passwordHash"`;
  private readonly byEmail = new BatchLoader<string, User>(async (emails) => {
    const text = `select ${this.selectColumns} from ${this.table.name}
      where ${equalsAnySql('canonical_email', '$1', 'varchar')}`;
    const users = await this.database.accessReader.query<User>({
      text,
      values: [emails],
      name: 'credentials',
    });
    return new Map(users.map((user) => [user.canonicalEmail, user]));
  });

  private readonly current = new BatchLoader<number, CurrentAccount>(async (ids) => {
    const columns = `id, role${attributesSql(this.database.manager.dataSource, this.table.name)}`;
    const text = `select ${columns} from ${this.table.name} where ${equalsAnySql('id', '$1', 'bigint')}`;
    const statement = { text, values: [ids], name: 'user_current' };
    const users = await this.database.query<CurrentAccount & { readonly id: number }>(statement);
    return new Map(users.map(({ id, ...user }) => [id, user]));
  });

  /** Runs `work` in a new transaction. */
  transaction<T>(work: (tx: SqlExecutor) => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }

  /** Whether a user exists. */
  async exists(id: number): Promise<boolean> {
    return (await this.find(id, EVERYTHING)) !== null;
  }

  /** Returns the role and the attributes of a user at one moment, or `undefined` if the user does not exist. */
  findCurrent(id: number): Promise<CurrentAccount | undefined> {
    return this.current.load(id);
  }

  /**
   * Returns the user with an e-mail, in any spelling. The user contains the hash of the password, which other queries
   * do not select.
   */
  findCredentials(email: string): Promise<User | undefined> {
    return this.byEmail.load(canonicalEmail(email));
  }

  /** Sets the password of a user, and ends all their logins. */
  async setPasswordHash(id: number, passwordHash: string, db: SqlExecutor = this.database): Promise<void> {
    await db.transaction(async (tx) => {
      await this.update(id, { passwordHash } as Partial<User>, EVERYTHING, undefined, tx);
      await this.endLogins(id, null, tx);
    });
  }

  /**
   * Ends all logins of a user except the login `exceptId`. With `null`, it ends all of them. Sessions of the ended
   * logins become invalid in every session store, because a session is valid only while its login exists.
   */
  async endLogins(id: number, exceptId: number | null, tx: SqlExecutor): Promise<void> {
    const text = 'delete from logins where user_id = $1 and id is distinct from $2::bigint';
    await tx.query({ text, values: [id, exceptId], name: 'logins_end' });
  }

  /** Deletes all API keys of a user. */
  async revokeKeys(id: number, tx: SqlExecutor): Promise<void> {
    await tx.query({ text: 'delete from api_keys where user_id = $1', values: [id] });
  }

  /** Whether any administrator exists. */
  hasAdmin(): Promise<boolean> {
    return this.database.manager.existsBy<AccountEntity>(accountClass(), { role: administratorRole() });
  }

  /**
   * Locks users in ascending order of their ids, so that two writes cannot deadlock.
   * @param withAdmins whether to lock all administrators too
   * @returns the locked users, with the hashes of their passwords
   */
  lockAll(ids: readonly number[], withAdmins: boolean, tx: SqlExecutor): Promise<User[]> {
    const text = `
      select ${this.selectColumns} from ${this.table.name}
      where id = any($1::bigint[]) or ($2 and role = '${administratorRole()}')
      order by id for no key update`;
    return tx.query<User>({ text, values: [ids, withAdmins], name: 'users_lock' });
  }

  /**
   * Inserts a user.
   * @param caller the caller who adds the user, if any. If the caller has `manage_users`, and the resource of users has `rows`,
   *   the new user gets the values of the caller's rows
   * @throws ApiError `EMAIL_ALREADY_EXISTS`, or `PERMISSION_DENIED` for a role that sees more rows than the caller
   */
  async add(
    user: Partial<User> & { readonly email: string },
    db: SqlExecutor = this.database,
    caller?: Principal | null,
  ): Promise<User> {
    const values = { ...user, canonicalEmail: canonicalEmail(user.email) };
    if (caller && user.role !== undefined && seesMoreRows(user.role, caller))
      throw permissionDenied(caller, MANAGE_USERS, true);
    const scope = caller?.permissions.has(MANAGE_USERS) ? this.creationScope(caller) : EVERYTHING;
    const added = await this.insert(values, db, scope);
    // A new user may log in immediately, before replicas have the row.
    db.afterCommit(() => this.database.replicas?.recordWrite(userCallerKey(added.id)));
    return added;
  }

  private creationScope(principal: Principal): AccessScope {
    return resolveAccessScope({
      ...{ principal, permission: 'create', grantSources: [], params: {}, grants: NO_GRANTS },
      rule: { isPublic: false, permission: 'create' },
      resource: this.resource,
    });
  }

  /** Whether `rows` select a user for a caller. Grants are ignored. */
  async concernsCaller(id: number, scope: AccessScope, tx: SqlExecutor): Promise<boolean> {
    const { limit } = scope;
    const withoutGrants = { ...scope, anyOf: limit, readable: limit, except: [] };
    return limit === null || (await this.find(id, withoutGrants, tx)) !== null;
  }

  override update(
    key: Key<User>,
    changes: Partial<User>,
    scope: AccessScope,
    conditions?: WritePreconditions,
    db?: SqlExecutor,
  ): Promise<User> {
    const { email } = changes;
    const stored = email === undefined ? changes : { ...changes, canonicalEmail: canonicalEmail(email) };
    return super.update(key, stored, scope, conditions, db);
  }
}
