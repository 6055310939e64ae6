import { Users1763600001000 } from '../../../../../../../src/migrations/1763600001000-users.js';
import { HelpDesk1795900000000 } from './1795900000000-help-desk.js';
import { HelpDeskIndexes1795900000001 } from './1795900000001-help-desk-indexes.js';

/** The migrations of the application, in order. */
export const MIGRATIONS = [Users1763600001000, HelpDesk1795900000000, HelpDeskIndexes1795900000001];
