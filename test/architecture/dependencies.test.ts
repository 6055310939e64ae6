import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}

/** Packages that no file names, each with the reason why it is installed. */
const NEEDED_BY_OTHERS: Readonly<Record<string, string>> = {
  '@fastify/multipart': 'the upload interceptors of @nestjs/platform-fastify load it, where a route has one',
  '@fastify/static': '@nestjs/swagger loads it to serve the files of Swagger UI',
  '@types/jest': 'types of the globals of tests',
  '@types/node': 'types of Node.js',
  '@swc/core': '@swc/jest compiles with it',
  '@nestjs/cli': 'its program, nest, builds and starts the service',
  'oxlint-tsgolint': 'oxlint runs it for the rules that ask for types',
};

const PROGRAM = ['src', 'packages', 'tools'];
/**
 * The folders of the compiled program that the image leaves out: `packages/embedded-postgres-server`, `tools/generate`.
 */
const LEFT_OUT = [...read('Dockerfile').matchAll(/ dist\/(packages\/[\w-]+|tools)/g)].map(
  ([, folder = '']) => `${folder}/`,
);
const EVERYTHING = [...PROGRAM, 'bench', 'scripts', 'test', '.ci'];

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(path);
    return /\.(ts|mjs|js|cjs)$/.test(entry.name) ? [path] : [];
  });
}

/** The packages that files import, or name as a path (`oxlint/bin/oxlint`). */
function namedIn(files: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const file of files) {
    for (const [, name = ''] of read(file).matchAll(
      /['"`](?:node_modules\/)?((?:@[\w-]+\/)?[\w.-]+)(?:\/[^'"`\n]*)?['"`]/g,
    ))
      names.add(name);
  }
  return names;
}

/** The packages that files import. */
function importedIn(files: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const file of files) {
    for (const [, name = ''] of read(file).matchAll(
      /(?:from|import|import\(|require\()\s*['"]((?:@[\w-]+\/)?[\w.-]+)(?:\/[^'"]*)?['"]/g,
    ))
      names.add(name);
  }
  return names;
}

const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Manifest;

describe('dependencies', () => {
  const code = PROGRAM.flatMap(filesBelow).filter(
    (file) => !file.endsWith('.test.ts') && !LEFT_OUT.some((folder) => file.startsWith(folder)),
  );

  it('are imported by code that runs in production, or have a reason', () => {
    const imported = importedIn(code);
    const unused = Object.keys(dependencies).filter(
      (name) => !imported.has(name) && !(name in NEEDED_BY_OTHERS),
    );
    expect(unused).toEqual([]);
    expect(LEFT_OUT).toContain('tools/');
  });

  it('of development are named by some code or configuration, or have a reason', () => {
    const configuration = readdirSync(root).filter((name) => /\.(c?js|ts)$/.test(name));
    const named = namedIn([...EVERYTHING.flatMap(filesBelow), ...configuration]);
    const typed = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
    const unused = Object.keys(devDependencies).filter(
      (name) =>
        !named.has(name) &&
        !(name in NEEDED_BY_OTHERS) &&
        !(name.startsWith('@types/') && typed.has(name.slice('@types/'.length))),
    );
    expect(unused).toEqual([]);
  });

  it('have no reason that is out of date', () => {
    const imported = importedIn(code);
    const known = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
    const outdated = Object.keys(NEEDED_BY_OTHERS).filter((name) => !known.has(name) || imported.has(name));
    expect(outdated).toEqual([]);
  });

  it('S20: are locked with their integrity, for every platform', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<
        string,
        { integrity?: string; link?: boolean; optionalDependencies?: Record<string, string> }
      >;
    };
    const bare = Object.entries(packages).filter(
      ([path, { integrity, link }]) => path !== '' && !link && !integrity?.startsWith('sha512-'),
    );
    expect(bare.map(([path]) => path)).toEqual([]);
    // npm leaves out, without a word, binaries of other platforms that a registry does not have.
    const optional = Object.values(packages).flatMap((one) => Object.keys(one.optionalDependencies ?? {}));
    const isLocked = (name: string): boolean =>
      Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`));
    expect(optional.filter((name) => !isLocked(name))).toEqual([]);
    expect(Object.keys(packages).length).toBeGreaterThan(100);
  });
});
