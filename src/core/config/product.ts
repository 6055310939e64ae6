import { existsSync, readFileSync } from 'node:fs';

interface Manifest {
  readonly productName: string;
  readonly version: string;
}

/** The nearest package.json above this file, which is in `src/core/config` or, compiled, in `dist/src/core/config`. */
const [manifest] = ['../../../package.json', '../../../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .filter((url) => existsSync(url));
if (!manifest) throw new Error(`there is no package.json above ${import.meta.url}`);
const { productName: NAME, version } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;

const SLUG = NAME.toLowerCase()
  .replaceAll(/[^a-z0-9]+/g, '-')
  .replaceAll(/^-|-$/g, '');

/** The product as package.json names it, and everything that derives from its name. See docs/rebranding.md. */
export const PRODUCT = {
  name: NAME,
  version,
  slug: SLUG,
  /** The realm of challenges (RFC 9110 §11.5). */
  realm: SLUG,
  /** `iss` and `aud` of the tokens it signs. */
  issuer: SLUG,
  audience: `${SLUG}-api`,
  redisPrefix: `${SLUG}:`,
  /** The `application_name` of sessions in PostgreSQL. */
  databaseApplication: SLUG,
  /** E-mail addresses that are made up are of this domain. */
  emailDomain: `${SLUG}.local`,
  clientPackage: `@${SLUG}/client`,
} as const;
