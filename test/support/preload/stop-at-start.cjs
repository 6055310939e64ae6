/**
 * Stops the worker that loads it (`node --require`) where it stands, as SIGSTOP does, if there is a file of the name in
 * STOP_AT_START.
 */
const cluster = require('node:cluster');
const { existsSync } = require('node:fs');

if (cluster.isWorker && existsSync(process.env.STOP_AT_START)) process.kill(process.pid, 'SIGSTOP');
