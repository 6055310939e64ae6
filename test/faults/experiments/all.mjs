import postgresFrozen from './postgres-frozen.mjs';
import postgresRestarts from './postgres-restarts.mjs';
import serverKilled from './server-killed.mjs';

/** Every experiment, in the order in which they are made. */
export const EXPERIMENTS = [postgresFrozen, postgresRestarts, serverKilled];
