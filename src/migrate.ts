import 'reflect-metadata';

import { runMigrations } from './core/start.js';

await runMigrations(() => import('./app.module.js'));
