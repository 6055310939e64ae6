import clock from './clock.mjs';
import connections from './connections.mjs';
import diskFull from './disk-full.mjs';
import embedded from './embedded.mjs';
import limited from './limited.mjs';
import migrations from './migrations.mjs';
import postgresFrozen from './postgres-frozen.mjs';
import postgresRestarts from './postgres-restarts.mjs';
import redisIll from './redis-ill.mjs';
import serverKilled from './server-killed.mjs';

/** Every experiment, in the order in which they are made. */
export const EXPERIMENTS = [
  postgresFrozen,
  postgresRestarts,
  serverKilled,
  connections,
  redisIll,
  limited,
  migrations,
  embedded,
  diskFull,
  clock,
];
