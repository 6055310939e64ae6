import 'reflect-metadata';

import { startService } from './service.js';

await startService();
