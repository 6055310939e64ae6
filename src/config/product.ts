const NAME = 'Plinth';

/** The name as machines take it: in lower case, words joined by `-`. */
const SLUG = NAME.toLowerCase()
  .replaceAll(/[^a-z0-9]+/g, '-')
  .replaceAll(/^-|-$/g, '');

/**
 * The product's name, and everything that derives from it, for people and for machines. See docs/rebranding.md.
 */
export const PRODUCT = {
  name: NAME,
  slug: SLUG,
  /** The realm of challenges (RFC 9110 §11.5). */
  realm: SLUG,
  /** `iss` and `aud` of the tokens it signs. */
  issuer: SLUG,
  audience: `${SLUG}-api`,
  /** The prefix of all keys in Redis. */
  redisPrefix: `${SLUG}:`,
  /** The `application_name` of sessions in PostgreSQL. */
  databaseApplication: SLUG,
  /** E-mail addresses that are made up are of this domain. */
  emailDomain: `${SLUG}.local`,
  /** The npm package of the TypeScript client. */
  clientPackage: `@${SLUG}/client`,
} as const;
