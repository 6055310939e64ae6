import 'reflect-metadata';

import { resetAdmin } from './core/start.js';

await resetAdmin(() => import('./app.module.js'));
