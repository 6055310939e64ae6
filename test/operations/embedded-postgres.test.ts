import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import pg from 'pg';

import { PRODUCT } from '../../src/core/config/product.js';
import { removeEmbeddedDatabase } from '../../packages/embedded-postgres-server/embedded-database.js';
import {
  base,
  beginEmpty,
  cluster,
  directory,
  isAlive,
  query,
  serverPid,
  start,
  startInChild,
  useEmbeddedDatabases,
} from '../support/embedded-databases.js';

useEmbeddedDatabases();

test('keeps its data over a restart, and starts again within a second', async () => {
  const first = await start();
  await query(first.url, 'create table note (text text)');
  await query(first.url, `insert into note values ('Größe 😀')`);
  await first.stop();
  // A machine that has other things to do for a second has none at each of some starts.
  let quickestMs = Infinity;
  for (let i = 0; i < 3 && quickestMs > 1_500; i++) {
    const begin = performance.now();
    const again = await start();
    quickestMs = Math.min(quickestMs, performance.now() - begin);
    expect(await query(again.url, 'select text from note')).toEqual([{ text: 'Größe 😀' }]);
    await again.stop();
  }
  expect(quickestMs).toBeLessThan(5_000);
});

test('is UTF-8, knows ICU collations, and wants its password', async () => {
  const { url } = await start();
  expect(await query(url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
  expect(await query(url, `select lower('ÄÉ') as low, 'b' collate "und-x-icu" < 'C' as icu`)).toEqual([
    { low: 'äé', icu: true },
  ]);
  expect(statSync(join(directory, 'password')).mode & 0o777).toBe(0o600);
  await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toMatchObject({
    code: '28P01',
  });
});

test('without durability nothing waits for the disk; by default everything does', async () => {
  const loose = await start({ durable: false });
  expect(await query(loose.url, 'show fsync')).toEqual([{ fsync: 'off' }]);
  await loose.stop();
  const durable = await start({ durable: true });
  expect(await query(durable.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
});

test('stop() leaves no server, can be repeated, and ends open sessions', async () => {
  const database = await start();
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  const pid = serverPid();
  await Promise.all([database.stop(), database.stop()]);
  expect(isAlive(pid)).toBe(false);
  expect(readdirSync(cluster())).not.toContain('postmaster.pid');
});

test('stop() is waited for by a process that has nothing else to do', async () => {
  const child = await startInChild();
  const pid = serverPid();
  child.process.stdin!.write('stop');
  const [line] = (await once(child.process.stdout!, 'data')) as [Buffer];
  expect(line.toString()).toBe('stopped\n');
  expect(isAlive(pid)).toBe(false);
});

test('after SIGKILL of its user everything committed is there, and the server is used again', async () => {
  const child = await startInChild();
  const orphan = serverPid();
  await query(child.url, 'create table orphaned as select 42 as answer');
  child.process.kill('SIGKILL');
  await once(child.process, 'exit');
  expect(isAlive(orphan)).toBe(true);
  const database = await start();
  expect(serverPid()).toBe(orphan);
  expect(await query(database.url, 'select answer from orphaned')).toEqual([{ answer: 42 }]);
  await database.stop();
  expect(isAlive(orphan)).toBe(false);
});

test('Ctrl-C in the terminal reaches its user, not the server', async () => {
  const child = await startInChild();
  process.kill(-child.process.pid!, 'SIGINT');
  await once(child.process, 'exit');
  // The child has no handler and is ended by the signal, so its server goes on, as after SIGKILL.
  expect(isAlive(serverPid())).toBe(true);
});

test('a lock left behind whose pid is another program now does not stop the start, nor that program', async () => {
  await (await start()).stop();
  const stranger = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid: statSync(cluster()).uid } : {});
  const lines = [stranger.pid, cluster(), 1700000000, 54321, '', '127.0.0.1', '     1         1', 'ready   '];
  writeFileSync(join(cluster(), 'postmaster.pid'), lines.join('\n'));
  const database = await start();
  expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(stranger.exitCode).toBeNull();
  stranger.kill();
});

test('a damaged lock does not stop the start', async () => {
  await (await start()).stop();
  writeFileSync(join(cluster(), 'postmaster.pid'), 'nonsense');
  await start();
});

test('survives SIGKILL of user and server at once', async () => {
  const child = await startInChild();
  await query(child.url, 'create table crashed as select 42 as answer');
  const busy = query(child.url, 'select count(*) from generate_series(1, 3000000)').catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.kill(serverPid(), 'SIGKILL');
  child.process.kill('SIGKILL');
  await once(child.process, 'exit');
  const database = await start();
  expect(await query(database.url, 'select answer from crashed')).toEqual([{ answer: 42 }]);
  await busy;
});

test('processes of one directory share its server, and the last one to stop ends it', async () => {
  beginEmpty();
  const [first, second] = await Promise.all([startInChild(), startInChild()]);
  expect(first.url).toBe(second.url);
  const pid = serverPid();
  first.process.stdin!.write('stop');
  await once(first.process, 'exit');
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  const third = await start();
  expect(third.url).toBe(second.url);
  second.process.kill('SIGKILL');
  await once(second.process, 'exit');
  expect(await query(third.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await third.stop();
  expect(isAlive(pid)).toBe(false);
});

test('a start killed before the database was made ends in a good one', async () => {
  const database = await start();
  await query(database.url.replace(/[^/]+$/, 'postgres'), `drop database "${PRODUCT.slug}"`);
  await database.stop();
  const again = await start();
  expect(await query(again.url, 'select current_database() as name')).toEqual([{ name: PRODUCT.slug }]);
});

test('takes another port when the chosen one is taken meanwhile', async () => {
  const rival = createServer().listen(0, '127.0.0.1');
  await once(rival, 'listening');
  const { port } = rival.address() as AddressInfo;
  const database = await start({ port });
  expect(new URL(database.url).port).not.toBe(String(port));
  rival.close();
});

test('works in a folder that only its user can enter, and a deleted folder is a new database', async () => {
  beginEmpty();
  chmodSync(base, 0o700);
  const first = await start();
  await query(first.url, 'create table kept as select 42 as answer');
  await first.stop();
  const files = cluster();
  expect(statSync(base).mode & 0o777).toBe(0o700);
  const second = await start();
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await second.stop();
  await removeEmbeddedDatabase(directory);
  expect(existsSync(files)).toBe(false);
  const third = await start();
  expect(await query(third.url, `select to_regclass('kept') as kept`)).toEqual([{ kept: null }]);
});

test('a database of another major version, or without its files, is named with a way out', async () => {
  beginEmpty();
  await (await start()).stop();
  writeFileSync(join(cluster(), 'PG_VERSION'), '15\n');
  await expect(start()).rejects.toThrow(/made by PostgreSQL 15 and \d+ is installed: .* or delete .*data/);
  rmSync(join(cluster(), 'PG_VERSION'));
  await expect(start()).rejects.toThrow(
    /No database can be read .*: delete .*data to begin with an empty database/,
  );
});
