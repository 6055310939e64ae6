import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { APPLICATION_FOLDER } from '../config/product.js';
import { ConfigError } from '../config/read-config.js';

const COPIES_KEY: unique symbol = Symbol.for('@plinth/core');

const BASE_FOLDER = realpathSync(join(import.meta.dirname, '../..'));

/** The folders of all copies of the base that this process has loaded. Each copy has its own registries. */
const LOADED_FOLDERS = ((globalThis as { [COPIES_KEY]?: Set<string> })[COPIES_KEY] ??= new Set<string>()).add(
  BASE_FOLDER,
);

/** Finds a package as Node.js does, in `node_modules` of a folder or of the nearest folder above. Resolves links. */
function findPackage(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return realpathSync(folder);
  const parent = dirname(from);
  return parent === from ? undefined : findPackage(name, parent);
}

/**
 * Refuses a second copy of the base or of a peer dependency, because each copy only knows the declarations that were
 * made with it.
 * @throws ConfigError
 */
export function assertNoSecondCopy(
  application = APPLICATION_FOLDER,
  base = BASE_FOLDER,
  loaded = LOADED_FOLDERS,
): void {
  const { name, peerDependencies } = JSON.parse(readFileSync(join(base, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  const copies = [findPackage(name, application), ...loaded].map((folder) => [name, folder, base] as const);
  const peers = Object.keys(peerDependencies).map(
    (peer) => [peer, findPackage(peer, application), findPackage(peer, base)] as const,
  );
  for (const [copied, theirs, ours] of [...copies, ...peers]) {
    if (!theirs || !ours || theirs === ours) continue;
    const fault = `${copied} is loaded from ${theirs} and from ${ours}, but only one copy may be loaded: \`npm ls ${copied}\` shows which packages need it.`;
    throw new ConfigError([fault]);
  }
}
