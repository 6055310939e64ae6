import { CreateProducts1763600000000 } from './1763600000000-create-products.js';
import { CreateUsers1763600000001 } from './1763600000001-create-users.js';
import { CreateLogins1763600000010 } from './1763600000010-create-logins.js';
import { CreateApiKeys1763600000011 } from './1763600000011-create-api-keys.js';
import { CreateAccessGrants1763600000012 } from './1763600000012-create-access-grants.js';
import { CreateOrders1763600001000 } from './1763600001000-create-orders.js';
import { CreateReviews1763600001001 } from './1763600001001-create-reviews.js';
import { CreateIdempotencyKeys1763600001002 } from './1763600001002-create-idempotency-keys.js';
import { CanonicalEmails1763600002010 } from './1763600002010-canonical-emails.js';
import { SortsOfUsers1763600003000 } from './1763600003000-sorts-of-users.js';
import { AnnounceAccessGrants1763600003012 } from './1763600003012-announce-access-grants.js';
import { TotalsOfLists1795287506302 } from './1795287506302-totals-of-lists.js';
import { VersionsByTrigger1795295400000 } from './1795295400000-versions-by-trigger.js';
import { StockInIndexes1795340000000 } from './1795340000000-stock-in-indexes.js';
import { KeepEmptiedPages1795350000000 } from './1795350000000-keep-emptied-pages.js';

/** Every migration, in order. One that is released is never changed: the next one corrects it. */
export const MIGRATIONS = [
  CreateProducts1763600000000,
  CreateUsers1763600000001,
  CreateLogins1763600000010,
  CreateApiKeys1763600000011,
  CreateAccessGrants1763600000012,
  CreateOrders1763600001000,
  CreateReviews1763600001001,
  CreateIdempotencyKeys1763600001002,
  CanonicalEmails1763600002010,
  SortsOfUsers1763600003000,
  AnnounceAccessGrants1763600003012,
  TotalsOfLists1795287506302,
  VersionsByTrigger1795295400000,
  StockInIndexes1795340000000,
  KeepEmptiedPages1795350000000,
];
