import 'reflect-metadata';

import { resetAdmin } from './service.js';

await resetAdmin();
