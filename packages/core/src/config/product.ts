import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly productName?: string;
  readonly version: string;
}

/** The nearest package.json with a name, in a folder or above it. One without a name only tells Node.js the module format. */
function findManifest(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  if (existsSync(path) && 'name' in JSON.parse(readFileSync(path, 'utf8'))) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : findManifest(parent);
}

const isInNodeModules = (folder: string): boolean =>
  /[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+$/.test(folder);

/** The package.json of the program. For `node -e` and programs of installed packages, such as Jest, that of the current folder. */
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

/** The product's name, from the application's package.json, and names that follow from it. See @plinth/core/docs/configuration.md#the-products-name. */
export const PRODUCT = {
  name: NAME,
  version,
  /** Also the realm of challenges (RFC 9110 §11.5), and the `application_name` of sessions in PostgreSQL. */
  slug: SLUG,
  /** `iss` and `aud` of the tokens that the service signs. */
  issuer: SLUG,
  audience: `${SLUG}-api`,
  redisPrefix: `${SLUG}:`,
  /** The domain of made-up e-mail addresses. */
  emailDomain: `${SLUG}.local`,
  /**
   * The application's typed client, which `plinth client` writes. `@plinth/client` itself packs into
   * `plinth-client-<version>.tgz`, so the client of a product called Plinth has another name.
   */
  clientPackage: SLUG === 'plinth' ? 'plinth-api-client' : `${SLUG}-client`,
} as const;
