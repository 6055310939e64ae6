import { existsSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
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

test('F9 is started again on its port when it is killed, and keeps what was committed', async () => {
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

test('F9 is started again, as a whole, when one of its processes is killed', async () => {
  const lines: string[] = [];
  const { url } = await start({ log: (line) => lines.push(line) });
  const before = serverPid();
  await query(url, `copy (select) to program 'kill -9 $PPID'`).catch(() => undefined);
  await until(() => lines.includes('the embedded PostgreSQL runs again'));
  expect(serverPid()).not.toBe(before);
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('F9 is started again when what kept it from starting is gone', async () => {
  const lines: string[] = [];
  const { url } = await start({ log: (line) => lines.push(line) });
  const control = join(cluster(), 'global/pg_control');
  const hidden = `${control}.hidden`;
  renameSync(control, hidden);
  // However long the log has become by then.
  truncateSync(join(directory, 'server.log'), 3 * 2 ** 30);
  process.kill(serverPid(), 'SIGKILL');
  await until(() => lines.some((line) => /does not start, and is tried again: .*pg_control/.test(line)));
  truncateSync(join(directory, 'server.log'));
  renameSync(hidden, control);
  await until(() => lines.includes('the embedded PostgreSQL runs again'));
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('F9 stop() ends a server that is just being started again', async () => {
  const database = await start();
  const before = serverPid();
  process.kill(before, 'SIGKILL');
  await until(() => !isAlive(before));
  await database.stop();
  await expect(query(database.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
});

test('F9 stop() waits for a server that does not serve yet, and says nothing of it', async () => {
  const lines: string[] = [];
  const database = await start({ log: (line) => lines.push(line) });
  const before = serverPid();
  process.kill(before, 'SIGKILL');
  // While none runs, the lock names this process.
  await until(() => ![0, before, process.pid].includes(serverPid()));
  const next = serverPid();
  await database.stop();
  expect(() => process.kill(next, 0)).toThrow('ESRCH');
  expect(lines.filter((line) => line.includes('does not start'))).toEqual([]);
});

test('F9 is started again ever later where it ends as soon as it runs', async () => {
  const lines: string[] = [];
  await start({ log: (line) => lines.push(line) });
  const begin = performance.now();
  for (let deaths = 1; deaths <= 4; deaths++) {
    process.kill(serverPid(), 'SIGKILL');
    await until(() => lines.filter((line) => line.endsWith('runs again')).length === deaths);
  }
  expect(performance.now() - begin).toBeGreaterThan(100 + 200 + 400 + 800);
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

test('the server of a folder that was deleted leaves that of the next owner alone', async () => {
  const lines: string[] = [];
  beginEmpty();
  await start({ log: (line) => lines.push(line) });
  const first = serverPid();
  rmSync(directory, { recursive: true });
  const child = await startInChild();
  const second = serverPid();
  process.kill(first, 'SIGKILL');
  await until(() => lines.some((line) => line.endsWith('its folder is gone, or is used by another process')));
  expect([serverPid(), isAlive(second)]).toEqual([second, true]);
  expect(await query(child.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('attach waits for a server that is started again', async () => {
  const child = await startInChild();
  const control = join(cluster(), 'global/pg_control');
  renameSync(control, `${control}.hidden`);
  process.kill(serverPid(), 'SIGKILL');
  await until(() => serverPid() === child.process.pid);
  const lines: string[] = [];
  const attached = start({ attach: true, log: (line) => lines.push(line) });
  await until(() => lines.includes(`process ${child.process.pid} starts the database: waiting for it`));
  renameSync(`${control}.hidden`, control);
  expect(await attached).toMatchObject({ attached: true, url: child.url });
});
