const NAME = 'Plinth';

/** The name as machines take it: in lower case, words joined by `-`. */
const SLUG = NAME.toLowerCase()
  .replaceAll(/[^a-z0-9]+/g, '-')
  .replaceAll(/^-|-$/g, '');

/**
 * What the product is called. All that carries the name, for people or for machines, derives from here; see
 * docs/rebranding.md.
 */
export const PRODUCT = {
  name: NAME,
  slug: SLUG,
  /** The realm of challenges (RFC 9110 §11.5). */
  realm: SLUG,
  /** `iss` and `aud` of the tokens it signs. */
  issuer: SLUG,
  audience: `${SLUG}-api`,
  /** What the keys of a shared Redis begin with. */
  redisPrefix: `${SLUG}:`,
  /** What sessions of the database are called, as `pg_stat_activity` shows them. */
  databaseApplication: SLUG,
  /** E-mail addresses that are made up are of this domain. */
  emailDomain: `${SLUG}.local`,
} as const;
