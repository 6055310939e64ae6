import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly productName?: string;
  readonly version: string;
}

/** The nearest package.json with a name, at or above a folder: one without only tells Node.js how to read modules. */
function findManifest(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  if (existsSync(path) && 'name' in JSON.parse(readFileSync(path, 'utf8'))) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : findManifest(parent);
}

const isInNodeModules = (folder: string): boolean =>
  /[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+$/.test(folder);

/** That of the program; for a program of an installed package, such as Jest, and for `node -e`, of the current folder. */
const programPath = process.argv[1] ?? '';
const programManifest = existsSync(programPath)
  ? findManifest(dirname(realpathSync(programPath)))
  : undefined;
const manifestPath =
  programManifest && !isInNodeModules(dirname(programManifest))
    ? programManifest
    : findManifest(process.cwd());
if (!manifestPath) throw new Error(`there is no package.json with a name in ${process.cwd()} or above it`);

export const APPLICATION_FOLDER = dirname(manifestPath);

const {
  name,
  productName: NAME = name,
  version,
} = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest;

const SLUG = NAME.toLowerCase()
  .replaceAll(/[^a-z0-9]+/g, '-')
  .replaceAll(/^-|-$/g, '');

/** The product, named by the application's package.json, and what derives from its name. See @plinth/core/docs/configuration.md#the-products-name. */
export const PRODUCT = {
  name: NAME,
  version,
  /** Also the realm of challenges (RFC 9110 §11.5), and the `application_name` of sessions in PostgreSQL. */
  slug: SLUG,
  /** `iss` and `aud` of the tokens it signs. */
  issuer: SLUG,
  audience: `${SLUG}-api`,
  redisPrefix: `${SLUG}:`,
  /** E-mail addresses that are made up are of this domain. */
  emailDomain: `${SLUG}.local`,
  /**
   * The application's typed client, which `plinth client` writes. `@plinth/client` itself packs into
   * `plinth-client-<version>.tgz`, so the client of a product called Plinth has another name.
   */
  clientPackage: SLUG === 'plinth' ? 'plinth-api-client' : `${SLUG}-client`,
} as const;
