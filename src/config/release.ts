import { existsSync, readFileSync } from 'node:fs';

/** The version of the release that runs, `1.4.2`: that of package.json, which `npm run release` writes. */
export const RELEASE = (JSON.parse(readFileSync(manifest(), 'utf8')) as { version: string }).version;

/** The nearest package.json above this file, which is in `src` or, compiled, in `dist/src`. */
function manifest(): URL {
  const place = ['../../package.json', '../../../package.json'].map((path) => new URL(path, import.meta.url));
  const found = place.find((url) => existsSync(url));
  if (!found) throw new Error(`there is no package.json above ${import.meta.url}`);
  return found;
}
