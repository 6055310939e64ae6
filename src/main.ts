import { run } from '@plinth/core/start';

await run(() => import('./app.module.js'));
