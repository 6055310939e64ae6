import { ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../scripts/lib/free-port.mjs';

const PROGRAM = '/usr/sbin/pgbouncer';
/**
 * How long a client waits for a session: less than its statement may take (`DATABASE_STATEMENT_TIMEOUT_MS`), and longer
 * than an instance that stands still for a moment keeps one.
 */
const PATIENCE_SECONDS = 4;
const idOf = (kind: '-u' | '-g'): number => Number(spawnSync('id', [kind, 'postgres']).stdout.toString());

/** Whether Debian's PgBouncer is there, and a user to run it as: it refuses to run as root. */
export const hasPgBouncer = existsSync(PROGRAM) && spawnSync('id', ['-u', 'postgres']).status === 0;

/** PgBouncer in transaction mode, with two sessions of the server: each is shared by many clients. */
export class PgBouncer {
  private constructor(
    private readonly port: number,
    private readonly database: string,
    private readonly folder: string,
    private readonly process: ChildProcess,
  ) {}

  static async inFrontOf(databaseUrl: string): Promise<PgBouncer> {
    const { hostname, port, username, password, pathname } = new URL(databaseUrl);
    const name = pathname.slice(1);
    const listenPort = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
    chownSync(folder, idOf('-u'), idOf('-g'));
    const to = `host=${hostname} port=${port} dbname=${name} user=${username} password=${decodeURIComponent(password)}`;
    const settings = `[databases]
${name} = ${to}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
server_login_retry = 1
query_wait_timeout = ${PATIENCE_SECONDS}
`;
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(file, settings);
    chownSync(file, idOf('-u'), idOf('-g'));
    const [uid, gid] = [idOf('-u'), idOf('-g')];
    const child = spawn(PROGRAM, ['-q', file], { stdio: 'ignore', cwd: '/', uid, gid });
    const pooler = new PgBouncer(listenPort, name, folder, child);
    await pooler.listening();
    return pooler;
  }

  get url(): string {
    return `postgres://anybody@127.0.0.1:${this.port}/${this.database}`;
  }

  async remove(): Promise<void> {
    if (this.process.exitCode === null) {
      const exited = once(this.process, 'exit');
      this.process.kill('SIGTERM');
      await exited;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async listening(): Promise<void> {
    for (;;) {
      if (this.process.exitCode !== null) throw new Error(`pgbouncer ended with ${this.process.exitCode}`);
      const socket = createConnection(this.port, '127.0.0.1');
      const isOpen = await new Promise((resolve) => {
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      });
      socket.destroy();
      if (isOpen) return;
      await sleep(20);
    }
  }
}
