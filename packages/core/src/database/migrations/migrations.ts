import { Core1763600000000 } from './1763600000000-core.js';
import { MailQueue1763600000100 } from './1763600000100-mail-queue.js';
import { DeadLetters1763600000150 } from './1763600000150-dead-letters.js';

/** The migrations of the base: one for its own tables and functions, and two for those of pg-boss. */
export const BASE_MIGRATIONS = [Core1763600000000, MailQueue1763600000100, DeadLetters1763600000150];
