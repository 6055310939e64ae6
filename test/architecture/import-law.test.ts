import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const ROOT = process.cwd();

interface Cruise {
  readonly modules: readonly object[];
  readonly summary: {
    readonly violations: { rule: { name: string }; from: string; to: string }[];
    readonly totalCruised: number;
  };
}

/** What imports what in the `src/` of a folder, and how the law judges it. */
function cruise(folder: string): Cruise {
  const depcruise = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(ROOT, '.dependency-cruiser.cjs');
  const args = [depcruise, 'src', '--config', config, '--output-type', 'json'];
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' } as const;
  let json: string;
  try {
    json = execFileSync(process.execPath, args, options);
  } catch (error) {
    // It ends with the number of violations; what it found is printed all the same.
    json = (error as { stdout: string }).stdout;
  }
  const found = JSON.parse(json) as Cruise;
  if (found.summary.totalCruised === 0) throw new Error('there was nothing to judge');
  return found;
}

/** What breaks the law, as `rule: from → to`. */
const violations = ({ summary }: Cruise): string[] =>
  summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);

/** What no import tells: names of files, and what a file holds. */
function faultsOf(path: string, text: string): string[] {
  const faults: string[] = [];
  if (basename(path) === 'index.ts') faults.push('is a barrel');
  if (/(?:from|import|import\()\s*['"]\.{1,2}\/(?![^'"]*\.js['"])/.test(text))
    faults.push('imports without .js');
  if (/\bprocess\.env\b|\bprocess\[/.test(text) && !/^src\/config\//.test(path))
    faults.push('reads process.env');
  return faults;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

describe('the import law', () => {
  let found: Cruise;
  beforeAll(() => {
    found = cruise(ROOT);
  });

  it('is kept', () => {
    expect(violations(found)).toEqual([]);
  });

  it('is drawn in docs/architecture.svg as the code has it; `npm run architecture` draws it anew', () => {
    const options = { input: JSON.stringify(found), encoding: 'utf8' } as const;
    const run = (): string =>
      execFileSync(process.execPath, ['scripts/draw-architecture.mjs', '--check', '--cruised'], options);
    expect(run).not.toThrow();
  });

  it('is told in docs/architecture.md: every base folder, in its order', () => {
    const [, base = ''] =
      /const BASE = \[([^]*?)\]/.exec(readFileSync('.dependency-cruiser.cjs', 'utf8')) ?? [];
    const folders = [...base.matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
    const page = readFileSync('docs/architecture.md', 'utf8');
    const [layout = ''] = /^```\nsrc\/\n[^]*?^```/m.exec(page) ?? [];
    expect(folders.filter((name) => !layout.includes(` ${name}/ `))).toEqual([]);
    const [row = ''] = /^.*\| in this order, .*$/m.exec(page) ?? [];
    const told = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(['config', ...told]).toEqual(folders);
  });

  it('is kept by what files are called and hold', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `src/${file.replaceAll('\\', '/')}`);
    const faults = files
      .filter((path) => !path.endsWith('.test.ts'))
      .flatMap((path) =>
        faultsOf(path, readFileSync(join(ROOT, path), 'utf8')).map((fault) => `${path} ${fault}`),
      );
    expect(files.length).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  it.each([
    ['src/products/index.ts', '', 'is a barrel'],
    ['src/products/a.ts', `import { b } from '../users/b';`, 'imports without .js'],
    ['src/products/a.ts', `await import('./b');`, 'imports without .js'],
    ['src/products/a.ts', `const port = process.env['PORT'];`, 'reads process.env'],
    ['src/products/a.ts', `const port = process['env']['PORT'];`, 'reads process.env'],
  ])('notices in %s: %s', (path, text, fault) => {
    expect(faultsOf(path, text)).toEqual([fault]);
  });
});

describe('each rule of the import law', () => {
  let folder: string;
  let found: string[];

  const importing = (...modules: string[]): string =>
    modules.map((name, i) => `import { x as x${i} } from '${name}';\nexport const y${i} = x${i};\n`).join('');
  const leaf = 'export const x = 1;\n';

  /** A tree in which every rule is broken, most of them once. */
  const WRONG = {
    'src/main.ts': importing('./docs/serve.js', '../tools/seed/seed.js', './app.factory.js'),
    'src/app.factory.ts': importing('./docs/serve.js', './auth/hook.js') + leaf,
    'src/config/config.ts': importing('../http/text.js') + leaf,
    'src/http/text.ts': leaf,
    'src/http/answer.ts': importing('../database/table.js', 'typeorm', 'pg', 'jest') + leaf,
    'src/http/a.ts': importing('./b.js') + leaf,
    'src/http/b.ts': importing('./a.js') + leaf,
    'src/http/top.ts': importing('../main.js', './nowhere.js') + leaf,
    'src/database/table.ts': importing('../access/roles.js', 'typeorm', 'pg') + leaf,
    'src/access/roles.ts': importing('../users/users.service.js') + leaf,
    'src/grants/grants.service.ts': importing('../users/users.service.js') + leaf,
    'src/users/users.service.ts': importing('../products/products.service.js') + leaf,
    'src/users/users.repository.ts': importing('typeorm') + leaf,
    'src/products/products.controller.ts': importing('../auth/hook.js', '@nestjs/typeorm') + leaf,
    'src/products/products.service.ts': leaf,
    'src/products/products.repository.ts': leaf,
    'src/orders/orders.service.ts':
      importing('../products/products.repository.js', '../products/products.service.js') + leaf,
    'src/orders/types.ts': `import type { x } from '../products/products.repository.js';\nexport type T = typeof x;\n`,
    'src/auth/hook.ts': importing('../users/users.service.js', '../operations/health.js') + leaf,
    'src/operations/health.ts': importing('../users/users.service.js') + leaf,
    'src/docs/serve.ts': importing('../database/table.js', '../products/products.service.js') + leaf,
    'src/service.ts': `export const embedded = import('../packages/embedded/server.js');\n`,
    'packages/embedded/server.ts': leaf,
    'tools/seed/seed.ts': leaf,
    'src/elsewhere/new.ts':
      importing(
        '../http/text.js',
        '../products/products.service.js',
        '../products/products.repository.js',
        '../auth/hook.js',
      ) + leaf,
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'service-import-law-'));
    write(folder, WRONG);
    for (const file of ['package.json', 'tsconfig.json'])
      writeFileSync(join(folder, file), readFileSync(join(ROOT, file)));
    for (const name of ['typeorm', 'pg', '@nestjs/typeorm', 'jest']) {
      const package_ = `node_modules/${name}`;
      write(folder, { [`${package_}/package.json`]: `{ "name": "${name}" }`, [`${package_}/index.js`]: '' });
    }
    found = violations(cruise(folder));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    'layer-config: src/config/config.ts → src/http/text.ts',
    'layer-http: src/http/answer.ts → src/database/table.ts',
    'layer-database: src/database/table.ts → src/access/roles.ts',
    'layer-access: src/access/roles.ts → src/users/users.service.ts',
    'layer-users: src/users/users.service.ts → src/products/products.service.ts',
    'layer-products: src/products/products.controller.ts → src/auth/hook.ts',
    'layer-operations: src/operations/health.ts → src/users/users.service.ts',
    'layer-docs: src/docs/serve.ts → src/products/products.service.ts',
    'layer-grants: src/grants/grants.service.ts → src/users/users.service.ts',
    'internals-of-products: src/orders/orders.service.ts → src/products/products.repository.ts',
    'layer-auth: src/auth/hook.ts → src/operations/health.ts',
    'internals-of-products: src/elsewhere/new.ts → src/products/products.repository.ts',
    'layer-elsewhere: src/elsewhere/new.ts → src/auth/hook.ts',
    'docs-factory-only: src/main.ts → src/docs/serve.ts',
    'docs-database-errors-only: src/docs/serve.ts → src/database/table.ts',
    'src-stands-alone: src/main.ts → tools/seed/seed.ts',
    'no-top-of-src: src/http/top.ts → src/main.ts',
    'no-circular: src/http/a.ts → src/http/b.ts',
    'typeorm-in-its-place: src/http/answer.ts → node_modules/typeorm/index.js',
    'pg-in-its-place: src/http/answer.ts → node_modules/pg/index.js',
    'nestjs-typeorm-in-modules: src/products/products.controller.ts → node_modules/@nestjs/typeorm/index.js',
    'no-development-packages: src/http/answer.ts → node_modules/jest/index.js',
    'resolvable: src/http/top.ts → ./nowhere.js',
  ])('notices %s', (violation) => {
    expect(found).toContain(violation);
  });

  it.each([
    ['typeorm in database/', 'src/database/table.ts → node_modules/typeorm'],
    ['typeorm in a repository', 'src/users/users.repository.ts → node_modules/typeorm'],
    [
      'another feature below by its service',
      'src/orders/orders.service.ts → src/products/products.service.ts',
    ],
    ['types of another feature', 'src/orders/types.ts → src/products/products.repository.ts'],
    ['a base layer in a module that a team added', 'src/elsewhere/new.ts → src/http/text.ts'],
    [
      'another feature in a module that a team added',
      'src/elsewhere/new.ts → src/products/products.service.ts',
    ],
    ['users in auth', 'src/auth/hook.ts → src/users/users.service.ts'],
    ['the embedded database on demand', 'src/service.ts → packages/embedded/server.ts'],
    ['docs in the factory', 'src/app.factory.ts → src/docs/serve.ts'],
  ])('lets pass %s', (_title, dependency) => {
    expect(found.filter((violation) => violation.includes(`: ${dependency}`))).toEqual([]);
  });
});
