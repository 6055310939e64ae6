import clock from './clock.mjs';
import connections from './connections.mjs';
import diskFull from './disk-full.mjs';
import embedded from './embedded.mjs';
import limited from './limited.mjs';
import memory from './memory.mjs';
import migrations from './migrations.mjs';
import names from './names.mjs';
import olderInstance from './older-instance.mjs';
import overload from './overload.mjs';
import postgresFrozen from './postgres-frozen.mjs';
import postgresRestarts from './postgres-restarts.mjs';
import redisIll from './redis-ill.mjs';
import rollingRestart from './rolling-restart.mjs';
import serverKilled from './server-killed.mjs';
import slowClients from './slow-clients.mjs';

/**
 * Every experiment, in the order in which they are made: those that are `isQuiet`, since they wait most of the time,
 * one after another beside the others.
 */
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
  names,
  clock,
  rollingRestart,
  slowClients,
  overload,
  memory,
  olderInstance,
];
