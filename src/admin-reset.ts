import { resetAdmin } from '@plinth/core/start';

await resetAdmin(() => import('./app.module.js'));
