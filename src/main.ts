import 'reflect-metadata';

import cluster from 'node:cluster';

import { AggregatorRegistry } from 'prom-client';

import './config/access.js';
import { readConfigOrExit } from './program.js';

const config = readConfigOrExit();
// The primary's scrape waits for the answer of each worker, also of one that is only starting.
if (cluster.isWorker) new AggregatorRegistry();
// Each loads what it needs: the primary of several workers serves nothing itself.
if (cluster.isPrimary && config.workers > 1) {
  const { startPrimary } = await import('./primary.js');
  await startPrimary(config);
} else {
  const { startService } = await import('./service.js');
  await startService(config);
}
