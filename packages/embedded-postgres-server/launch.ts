import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';

import { serverEnvironment } from './cluster.js';
import type { Account } from './server-account.js';
import type { ServerBinaries } from './server-binaries.js';

export interface ServerPlan {
  cluster: string;
  logFile: string;
  binaries: ServerBinaries;
  account: Account | undefined;
  password: string;
  durable: boolean;
  log: (line: string) => void;
}

/** Ends all sessions and the server: in order within 8 s, else at once. None there is fine. */
export async function stopServer(
  { binaries, account, cluster }: Pick<ServerPlan, 'binaries' | 'account' | 'cluster'>,
  mode: 'fast' | 'immediate' = 'fast',
): Promise<void> {
  const args = ['stop', '-D', cluster, '-m', mode, '-t', '8'];
  const options = { ...account, cwd: '/', env: serverEnvironment() };
  await promisify(execFile)(binaries.pgCtl, args, options).catch(() =>
    mode === 'fast' ? stopServer({ binaries, account, cluster }, 'immediate') : undefined,
  );
}

/**
 * Starts `postgres` in a session of its own, which Ctrl-C in the terminal does not reach: sized for a small machine,
 * independent of configuration files.
 */
export function launch(
  { binaries, account, cluster, durable, logFile }: ServerPlan,
  port: number,
): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    max_connections: 200,
    max_wal_senders: 0,
    wal_level: 'minimal',
    // Its users start it again: PostgreSQL's own restart may stand still for good where the disk is full.
    restart_after_crash: 'off',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Failed statements are the caller's to report; a log of them would grow with every conflict.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = openSync(logFile, 'a');
  const child = spawn(binaries.postgres, ['-D', cluster, ...options], {
    ...account,
    cwd: '/',
    detached: true,
    env: serverEnvironment(),
    stdio: ['ignore', output, output],
    windowsHide: true,
  });
  child.on('error', () => undefined);
  child.unref();
  closeSync(output);
  return child;
}

export const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null;

export async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.ref();
  child.kill('SIGQUIT');
  await ended;
}

/** Why a server has ended, from what it has logged since. */
export function lastFatal(logFile: string, from: number): string {
  const lines = readFileSync(logFile).subarray(from).toString().trim().split('\n');
  const fatal = lines.findLast((line) => /(FATAL|PANIC):/.test(line)) ?? lines.at(-1);
  return fatal?.replace(/^.*?(FATAL|PANIC):\s*/, '') || 'it ended without a word';
}

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
