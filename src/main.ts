import 'reflect-metadata';

import cluster from 'node:cluster';

import { readConfigOrExit } from './program.js';

const config = readConfigOrExit();
// Each loads what it needs: the primary of several workers serves nothing itself.
if (cluster.isPrimary && config.workers > 1) {
  const { startPrimary } = await import('./primary.js');
  await startPrimary(config);
} else {
  const { startService } = await import('./service.js');
  await startService(config);
}
