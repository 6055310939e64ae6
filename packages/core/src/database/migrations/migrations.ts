import { Core1763600000000 } from './1763600000000-core.js';
import { MailQueue1763600000100 } from './1763600000100-mail-queue.js';

/** The migrations of the base: one for its own tables and functions, and one for those of pg-boss. */
export const BASE_MIGRATIONS = [Core1763600000000, MailQueue1763600000100];
