import { Base1763600000000 } from './1763600000000-base.js';
import { AccountTokens1795650000000 } from './1795650000000-account-tokens.js';
import { MailQueue1795650001000 } from './1795650001000-mail-queue.js';
import { TypeormMetadata1795650002000 } from './1795650002000-typeorm-metadata.js';
import { ExpiredTokens1795650004000 } from './1795650004000-expired-tokens.js';
import { SearchText1795825000000 } from './1795825000000-search-text.js';
import { CanonicalDomains1795865000000 } from './1795865000000-canonical-domains.js';

/** The migrations of the base: accounts, logins, keys, grants, idempotency, mails, and searches. */
export const BASE_MIGRATIONS = [
  Base1763600000000,
  AccountTokens1795650000000,
  MailQueue1795650001000,
  TypeormMetadata1795650002000,
  ExpiredTokens1795650004000,
  SearchText1795825000000,
  CanonicalDomains1795865000000,
];
