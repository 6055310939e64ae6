import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Certificate } from './certificate.js';
import { freePort } from '../../scripts/lib/free-port.mjs';

/** The folder in which Debian installs the programs of PostgreSQL 15. */
export const DEBIAN_BIN = '/usr/lib/postgresql/15/bin';

/** Whether Debian's PostgreSQL 15 is installed, and a user exists to run it as. */
export const hasDebianPostgres =
  existsSync(join(DEBIAN_BIN, 'pg_basebackup')) && spawnSync('id', ['-u', 'postgres']).status === 0;

/** A server of Debian's PostgreSQL in a folder of its own, as a primary or as the replica of one. */
export class DebianPostgres {
  private constructor(
    readonly port: number,
    private readonly folder: string,
  ) {}

  /** Starts a primary with the database `app`. */
  static async primary(): Promise<DebianPostgres> {
    const server = new DebianPostgres(await freePort(), newFolder());
    asPostgres('initdb', '-D', server.data, '-A', 'trust', '-U', 'app', '--no-sync');
    server.set({ wal_level: 'replica', hot_standby: 'on' });
    server.start();
    asPostgres('createdb', '-h', '127.0.0.1', '-p', String(server.port), '-U', 'app', 'app');
    return server;
  }

  /** Starts a replica of this server. */
  async replica(): Promise<DebianPostgres> {
    const replica = new DebianPostgres(await freePort(), newFolder());
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'app'];
    asPostgres('pg_basebackup', ...from, '-D', replica.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync');
    replica.start();
    return replica;
  }

  get url(): string {
    return `postgres://app@127.0.0.1:${this.port}/app`;
  }

  /** Changes settings, also on a running server if they need no restart. */
  set(settings: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(settings))
      appendFileSync(join(this.data, 'postgresql.conf'), `${name} = '${value}'\n`);
    if (existsSync(join(this.data, 'postmaster.pid'))) asPostgres('pg_ctl', '-D', this.data, 'reload');
  }

  /** Makes a running server accept only connections with TLS. Replicas that start later do so, too. */
  requireTls({ certFile, keyFile }: Pick<Certificate, 'certFile' | 'keyFile'>): void {
    for (const [from, name] of [
      [certFile, 'server.crt'],
      [keyFile, 'server.key'],
    ] as const) {
      const file = join(this.data, name);
      copyFileSync(from, file);
      chownSync(file, idOf('-u'), idOf('-g'));
      chmodSync(file, 0o600);
    }
    const rules = ['hostssl all all 127.0.0.1/32 trust', 'hostssl replication all 127.0.0.1/32 trust', ''];
    writeFileSync(join(this.data, 'pg_hba.conf'), rules.join('\n'));
    this.set({ ssl: 'on' });
  }

  start(): void {
    const options = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
    const log = join(this.folder, 'log');
    asPostgres('pg_ctl', '-D', this.data, '-l', log, '-o', options, '-w', '-t', '60', 'start');
  }

  restart(): void {
    asPostgres('pg_ctl', '-D', this.data, '-m', 'fast', '-w', '-t', '60', 'restart');
  }

  promote(): void {
    asPostgres('pg_ctl', '-D', this.data, '-w', 'promote');
  }

  /** Kills the server, like a crash. */
  kill(): void {
    const pid = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    rmSync(join(this.data, 'postmaster.pid'), { force: true });
  }

  remove(): void {
    if (existsSync(join(this.data, 'postmaster.pid')))
      spawnSync('runuser', [
        '-u',
        'postgres',
        '--',
        `${DEBIAN_BIN}/pg_ctl`,
        '-D',
        this.data,
        '-m',
        'immediate',
        'stop',
      ]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.folder, 'data');
  }
}

const idOf = (kind: '-u' | '-g'): number =>
  Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'debian-postgres-'));
  chownSync(folder, idOf('-u'), idOf('-g'));
  return folder;
}

/** PostgreSQL refuses to run as root. */
function asPostgres(program: string, ...args: string[]): void {
  execFileSync('runuser', ['-u', 'postgres', '--', join(DEBIAN_BIN, program), ...args], {
    stdio: 'ignore',
    cwd: '/',
  });
}
