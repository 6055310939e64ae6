import 'reflect-metadata';

import { run } from './core/start.js';

await run(() => import('./app.module.js'));
