import 'reflect-metadata';

import { startService } from '#src/service.js';

await startService();
