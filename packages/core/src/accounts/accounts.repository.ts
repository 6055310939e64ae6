import { EVERYTHING, Visibility } from '../access/visibility.js';
import { BatchLoader } from '../database/batch-loader.js';
import { Connection } from '../database/connection.js';
import { writingUser } from '../database/replicas.js';
import { isAnyOf } from '../database/table.js';
import { canonicalEmail } from '../fields/email.js';
import { Preconditions } from '../http/caching/preconditions.js';
import { ResourceRepository } from '../resources/resource-repository.js';
import { Key } from '../resources/resource.js';
import { accountClass, AccountEntity } from './account.entity.js';
import { ADMIN } from './current-role.js';

/**
 * The queries of users. It keeps their canonical e-mails.
 * @example constructor(private readonly users: AccountsRepository<User>) {}
 */
export class AccountsRepository<User extends AccountEntity = AccountEntity> extends ResourceRepository<User> {
  private readonly selected = `${this.table.whole}, password_hash as "passwordHash"`;
  private readonly credentials = new BatchLoader<string, User>(async (emails) => {
    const text = `select ${this.selected} from ${this.table.name}
      where ${isAnyOf('canonical_email', '$1', 'varchar')}`;
    const users = await this.database.query<User>({ text, values: [emails], name: 'credentials' });
    return new Map(users.map((user) => [user.canonicalEmail, user]));
  });

  async exists(id: number): Promise<boolean> {
    return (await this.find(id, EVERYTHING)) !== null;
  }

  /** The user of an e-mail, however it is spelled, with the hash of the password. */
  findCredentials(email: string): Promise<User | undefined> {
    return this.credentials.load(canonicalEmail(email));
  }

  /** Gives a user another password, and ends all their logins. */
  async setPasswordHash(id: number, passwordHash: string, on: Connection = this.database): Promise<void> {
    await on.transaction(async (tx) => {
      await this.update(id, { passwordHash } as Partial<User>, EVERYTHING, undefined, tx);
      await this.endLogins(id, null, tx);
    });
  }

  /** Ends the logins of a user except one: what a session store has of them is good for nothing without them. */
  async endLogins(id: number, exceptId: number | null, on: Connection): Promise<void> {
    const text = 'delete from logins where user_id = $1 and id is distinct from $2::int';
    await on.query({ text, values: [id, exceptId], name: 'logins_end' });
  }

  async revokeKeys(id: number, on: Connection): Promise<void> {
    await on.query({ text: 'delete from api_keys where user_id = $1', values: [id] });
  }

  hasAdmin(): Promise<boolean> {
    return this.database.manager.existsBy<AccountEntity>(accountClass(), { role: ADMIN });
  }

  /** Locks users, and on request all administrators, in the order of their ids, so that writes cannot deadlock. */
  lockAll(ids: readonly number[], withAdmins: boolean, on: Connection): Promise<User[]> {
    const text = `
      select ${this.selected} from ${this.table.name} where id = any($1::int[]) or ($2 and role = '${ADMIN}')
      order by id for no key update`;
    return on.query<User>({ text, values: [ids, withAdmins], name: 'users_lock' });
  }

  /** @throws ApiError `EMAIL_ALREADY_EXISTS` */
  async add(user: Partial<User> & { readonly email: string }, on: Connection = this.database): Promise<User> {
    const added = await this.insert({ ...user, canonicalEmail: canonicalEmail(user.email) }, on);
    // Who registers is nobody yet, and may read by Basic what replicas do not have yet.
    on.afterCommit(() => this.database.replicas?.wrote(writingUser(added.id)));
    return added;
  }

  override update(
    key: Key<User>,
    changes: Partial<User>,
    scope: Visibility,
    conditions?: Preconditions,
    on?: Connection,
  ): Promise<User> {
    const { email } = changes;
    const stored = email === undefined ? changes : { ...changes, canonicalEmail: canonicalEmail(email) };
    return super.update(key, stored, scope, conditions, on);
  }
}
