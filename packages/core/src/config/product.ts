import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly productName?: string;
  readonly version: string;
}

/**
 * Finds the nearest package.json with a name, in a folder or above it. A package.json without a name only sets the
 * module format for Node.js.
 */
function findManifest(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  if (existsSync(path) && 'name' in JSON.parse(readFileSync(path, 'utf8'))) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : findManifest(parent);
}

const isInNodeModules = (folder: string): boolean =>
  /[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+$/.test(folder);

// The application's package.json is the nearest one above the program. For `node -e` and for programs of installed
// packages, such as Jest, it is the nearest one above the current folder.
const programPath = process.argv[1] ?? '';
const programManifest = existsSync(programPath)
  ? findManifest(dirname(realpathSync(programPath)))
  : undefined;
const manifestPath =
  programManifest && !isInNodeModules(dirname(programManifest))
    ? programManifest
    : findManifest(process.cwd());
if (!manifestPath) throw new Error(`there is no package.json with a name in ${process.cwd()} or above it`);

/** The folder of the application's package.json. */
export const APPLICATION_FOLDER = dirname(manifestPath);

const {
  name,
  productName: NAME = name,
  version,
} = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest;

const SLUG = NAME.toLowerCase()
  .replaceAll(/[^a-z0-9]+/g, '-')
  .replaceAll(/^-|-$/g, '');

/**
 * The product's name from the application's package.json, and names that are derived from it. See
 * @plinth/core/docs/configuration.md#the-products-name.
 */
export const PRODUCT = {
  name: NAME,
  version,
  /**
   * The name in lower case, with hyphens. Also the realm of challenges (RFC 9110 §11.5), and the `application_name` of
   * sessions in PostgreSQL.
   */
  slug: SLUG,
  /** `iss` and `aud` of the tokens that the service signs. */
  issuer: SLUG,
  audience: `${SLUG}-api`,
  redisPrefix: `${SLUG}:`,
  /** The domain of e-mail addresses that the service makes up, such as the default of `ADMIN_EMAIL`. */
  emailDomain: `${SLUG}.local`,
  /**
   * The package of the application's typed client, which `plinth client` writes. The name `plinth-client` is not used,
   * because `@plinth/client` itself is packed into `plinth-client-<version>.tgz`.
   */
  clientPackage: SLUG === 'plinth' ? 'plinth-api-client' : `${SLUG}-client`,
} as const;
