import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import {
  beginEmpty,
  cluster,
  directory,
  isAlive,
  query,
  serverPid,
  start,
  startInChild,
  until,
  useEmbeddedDatabases,
} from '../support/embedded-databases.js';
import { ServiceProcess } from '../support/service-process.js';

useEmbeddedDatabases();

test('an embedded server is started again on its port when it is killed, and keeps what was committed', async () => {
  const lines: string[] = [];
  const { url } = await start({ durable: true, log: (line) => lines.push(line) });
  await query(url, 'create table survives (id int); insert into survives values (1)');
  const before = serverPid();
  process.kill(before, 'SIGKILL');
  await until(() => lines.includes('the embedded PostgreSQL runs again'));
  expect(serverPid()).not.toBe(before);
  expect(await query(url, 'select id from survives')).toEqual([{ id: 1 }]);
  await query(url, 'drop table survives');
});

test('an embedded server is started again, as a whole, when one of its processes is killed', async () => {
  const lines: string[] = [];
  const { url } = await start({ log: (line) => lines.push(line) });
  const before = serverPid();
  await query(url, `copy (select) to program 'kill -9 $PPID'`).catch(() => undefined);
  await until(() => lines.includes('the embedded PostgreSQL runs again'));
  expect(serverPid()).not.toBe(before);
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('an embedded server is started again when what kept it from starting is gone', async () => {
  const lines: string[] = [];
  const { url } = await start({ log: (line) => lines.push(line) });
  const control = join(cluster(), 'global/pg_control');
  const hidden = `${control}.hidden`;
  renameSync(control, hidden);
  process.kill(serverPid(), 'SIGKILL');
  await until(() => lines.some((line) => /does not start, and is tried again: .*pg_control/.test(line)));
  renameSync(hidden, control);
  await until(() => lines.includes('the embedded PostgreSQL runs again'));
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('stop() ends a server that is just being started again', async () => {
  const database = await start();
  const before = serverPid();
  process.kill(before, 'SIGKILL');
  await until(() => !isAlive(before));
  await database.stop();
  await expect(query(database.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
});

test('a service that is stopped while it starts its server leaves none', async () => {
  const service = new ServiceProcess({});
  const lock = join(service.directory, 'database/cluster/postmaster.pid');
  const pidOf = (): number => (existsSync(lock) ? Number.parseInt(readFileSync(lock, 'utf8'), 10) : 0);
  await until(() => pidOf() > 0);
  const pid = pidOf();
  service.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  expect(isAlive(pid)).toBe(false);
  expect(service.output).not.toContain('could not start');
});

test('the server of a folder that was deleted leaves that of the next user alone', async () => {
  const lines: string[] = [];
  beginEmpty();
  await start({ log: (line) => lines.push(line) });
  const first = serverPid();
  rmSync(directory, { recursive: true });
  const child = await startInChild();
  const second = serverPid();
  process.kill(first, 'SIGKILL');
  await until(() => lines.some((line) => line.includes('does not start, and is tried again')));
  expect([serverPid(), isAlive(second)]).toEqual([second, true]);
  expect(await query(child.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});
