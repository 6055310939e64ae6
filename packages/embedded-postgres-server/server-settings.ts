import { PRODUCT } from '../../src/config/product.js';

/** Settings of PostgreSQL by their names. */
export type ServerSettings = Readonly<Record<string, string>>;

/** The superuser, and the database made for the service. */
export const SERVER_USER: string = PRODUCT.slug;
export const DATABASE_NAME: string = PRODUCT.slug;

/**
 * The options of `postgres`: reachable from this machine only, sized for a small one, independent of any
 * configuration file so that a new version's settings hold for old clusters. Without `durable` a crash of the
 * operating system loses data and nothing waits for the disk: for tests. `settings` replace these.
 */
export function serverOptions(
  { cluster, durable, settings }: { cluster: string; durable: boolean; settings: ServerSettings },
  port: number,
): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    max_wal_senders: 0,
    wal_level: 'minimal',
    max_wal_size: '1GB',
    // The one that started it starts it again: PostgreSQL's own restart may stand still for good where the disk is
    // full, with a postmaster that refuses all connections and has no process that recovers.
    restart_after_crash: 'off',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Failed statements are the caller's to report; a log of them would grow with every conflict.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...settings,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', cluster, '-p', String(port), ...options];
}

/** Neither the caller's locale, which may not exist here, nor `PG…` variables meant for another server get through. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return { LC_ALL: 'C', ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }) };
}
