import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '@plinth/dev/testing';

import { freePort } from '../../scripts/lib/free-port.mjs';

/** Debian's PgBouncer, and the newer one that `.ci/install-pgbouncer` unpacks if Debian's is older than 1.21. */
const PROGRAMS = ['/opt/pgbouncer/bin/pgbouncer', '/usr/sbin/pgbouncer'].filter((path) => existsSync(path));

export const hasPgBouncer = PROGRAMS.length > 0;

export interface PgBouncerOptions {
  readonly mode: 'session' | 'transaction';
  /** The program, which is by default the newest one. */
  readonly program?: string | undefined;
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** Debian's own PgBouncer, of the release that runs the tests. */
export const DEBIAN_PGBOUNCER = '/usr/sbin/pgbouncer';

/** A PgBouncer with the settings that it has by default, in front of one server. */
export class PgBouncer {
  private constructor(
    /** The URL of the database through the pooler. */
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Starts a pooler for the database of a URL, and waits until it accepts connections. */
  static async start(
    url: string,
    { mode, program = PROGRAMS[0] ?? '', settings = {} }: PgBouncerOptions,
  ): Promise<PgBouncer> {
    const { hostname, port, pathname, username, password } = new URL(url);
    const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
    const [users, config] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')];
    const listenPort = await freePort();
    const database = pathname.slice(1);
    writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
    const lines = {
      listen_addr: '127.0.0.1',
      listen_port: listenPort,
      unix_socket_dir: '',
      auth_type: password ? 'scram-sha-256' : 'trust',
      auth_file: users,
      pool_mode: mode,
      ...settings,
    };
    const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}\n`);
    writeFileSync(
      config,
      `[databases]\n${database} = host=${hostname} port=${port || 5432}\n[pgbouncer]\n${text.join('')}`,
    );
    // PgBouncer refuses to run as root.
    const id = (kind: '-u' | '-g'): number => Number(execFileSync('id', [kind, 'postgres']));
    for (const path of [folder, users, config]) chownSync(path, id('-u'), id('-g'));
    chmodSync(folder, 0o700);
    const args = ['-u', 'postgres', '--', program, '-q', config];
    const started = spawn('runuser', args, { cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] });
    await eventually(() => accepts(listenPort), true, 10_000);
    const own = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(listenPort) });
    return new PgBouncer(own.href, started, folder);
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await exited;
    rmSync(this.folder, { recursive: true });
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => {
      resolve(false);
    });
  });
