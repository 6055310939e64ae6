import { runMigrations } from '@plinth/core/start';

await runMigrations(() => import('./app.module.js'));
