import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';

import { ConnectionPool } from '../../packages/core/src/database/connection-pool.js';
import { Replicas } from '../../packages/core/src/database/replicas.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';

const MAX_LAG_MS = 5_000;
const WITHIN_MS = 30_000;

/** The time up to which a replica has replayed commits. The test sets it, in place of a server. */
class ReplayedUntil {
  constructor(public time: () => number) {}

  get pool(): ConnectionPool {
    return {
      options: { connectionString: 'postgres://replica/app' },
      on: () => undefined,
      end: () => Promise.resolve(),
      query: () => Promise.resolve({ rows: [{ time: this.time() }] }),
    } as unknown as ConnectionPool;
  }
}

describe('a replica, after the connection to the primary is lost', () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let proxy: TcpProxy;
  let replicas: Replicas;
  const replayed = new ReplayedUntil(Date.now);

  beforeAll(async () => {
    database = await createDatabase();
    open = await openDatabase(database.url);
    proxy = await TcpProxy.to(database.url);
    const primaryUrl = proxy.urlOf(database.url);
    replicas = new Replicas({ pools: [replayed.pool], maxLagMs: MAX_LAG_MS, primaryUrl }, open.database);
    replicas.start();
  });
  afterAll(async () => {
    await replicas.stop();
    await proxy.refuse();
    await open.close();
    await database.drop();
  });

  const isServing = (): Promise<boolean> => Promise.resolve(replicas.states[0]!.isServing);

  it('serves only if it was at most a second behind, whatever lag is allowed otherwise', async () => {
    const behindMs = MAX_LAG_MS / 2;
    replayed.time = () => Date.now() - behindMs;
    await eventually(isServing, true, WITHIN_MS);
    // The last heartbeat must also come after the time during which the instance did not know all writers.
    await sleep(1_000);
    await proxy.refuse();
    const lostAt = Date.now();
    replayed.time = () => lostAt - behindMs;
    await eventually(() => Promise.resolve(replicas.isPrimaryAway), true, WITHIN_MS);
    await eventually(isServing, false, WITHIN_MS);
    expect(replicas.substitute).toBeUndefined();
    // The replica gets the rest of what the primary has sent.
    replayed.time = () => lostAt;
    await eventually(isServing, true, WITHIN_MS);
    expect(replicas.substitute).toBeDefined();
  });
});
