import { BatchLoader, Connection, Database, isAnyOf } from '../../../core/index.js';
import { Session, SessionOwner, SessionStore } from '../session-store.js';

const bytes = (digest: string): Buffer => Buffer.from(digest, 'hex');

/** The number of expired sessions that one statement removes. */
const BATCH = 5_000;

/** Sessions in PostgreSQL. Concurrent look-ups share a query. */
export class DatabaseSessions extends SessionStore {
  private readonly byDigest: BatchLoader<string, Session>;

  constructor(private readonly database: Database) {
    super();
    this.byDigest = new BatchLoader((digests) => this.findAll(digests));
  }

  async add(digest: string, { loginId }: SessionOwner, ttlMs: number, on: Connection): Promise<void> {
    const text = `
      insert into sessions (digest, login_id, expires_at)
      values ($1, $2, clock_timestamp() + $3::float8 * interval '1 millisecond')`;
    await on.query({ text, values: [bytes(digest), loginId, ttlMs], name: 'session_add' });
  }

  find(digest: string): Promise<Session | null> {
    return this.byDigest.load(digest).then((session) => session ?? null);
  }

  async extend(digest: string, _owner: SessionOwner, ttlMs: number): Promise<void> {
    const text = `
      update sessions set expires_at = clock_timestamp() + $2::float8 * interval '1 millisecond'
      where digest = $1 and expires_at > clock_timestamp()`;
    await this.database.query({ text, values: [bytes(digest), ttlMs], name: 'session_extend' });
  }

  /** They are deleted with their logins: the foreign key cascades. */
  async removeOf(): Promise<void> {
    return Promise.resolve();
  }

  async removeExpired(): Promise<void> {
    const text = `
      delete from sessions where digest = any(array(
        select digest from sessions where expires_at <= clock_timestamp() limit ${BATCH} for update skip locked))`;
    await this.database.query({ text, values: [] });
  }

  private async findAll(digests: readonly string[]): Promise<Map<string, Session>> {
    // By keys alone (`offset 0`): see `LoginsRepository.findAllCurrent`.
    const text = `
      select encode(sessions.digest, 'hex') as digest, logins.id as "loginId", users.id as "userId", users.role,
        date_part('epoch', sessions.expires_at - clock_timestamp()) * 1000 as "msLeft"
      from (
        select digest, login_id, expires_at from sessions
        where ${isAnyOf('digest', '$1', 'bytea')} and expires_at > clock_timestamp() offset 0
      ) as sessions
      cross join lateral (select id, user_id from logins where id = sessions.login_id offset 0) as logins
      join users on users.id = logins.user_id`;
    // As the driver would write buffers that were made of them.
    const values = [`{${digests.map((digest) => `"\\\\x${digest}"`).join()}}`];
    const rows = await this.database.query<Session & { digest: string }>({
      text,
      values,
      name: 'sessions_find',
    });
    return new Map(rows.map(({ digest, ...session }) => [digest, session]));
  }
}
