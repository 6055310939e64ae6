import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Cruise {
  readonly violations: { rule: { name: string }; from: string; to: string }[];
  readonly totalCruised: number;
}

/** What breaks the law in the `src/` of a folder, as `rule: from → to`. */
function violations(folder: string): string[] {
  const depcruise = join(process.cwd(), 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [
    depcruise,
    'src',
    'packages/core/src',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
  ];
  let json: string;
  try {
    json = execFileSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: 'pipe',
    });
  } catch (error) {
    // It ends with the number of violations, and prints them all the same.
    json = (error as { stdout: string }).stdout;
  }
  const { summary } = JSON.parse(json) as { summary: Cruise };
  if (summary.totalCruised === 0) throw new Error('there was nothing to judge');
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}

const leaf = 'export const x = 1;\n';
describe('the import law', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'service-import-law-'));
    for (const file of ['package.json', 'tsconfig.json', '.dependency-cruiser.cjs'])
      cpSync(file, join(folder, file));
    for (const name of ['typeorm', 'pg', '@nestjs/typeorm', 'lru-cache', 'jest'])
      write({
        [`node_modules/${name}/package.json`]: JSON.stringify({ name }),
        [`node_modules/${name}/index.js`]: '',
      });
    mkdirSync(join(folder, 'packages/core/src'), { recursive: true });
    mkdirSync(join(folder, 'node_modules/@plinth'));
    cpSync('packages/core/package.json', join(folder, 'packages/core/package.json'));
    symlinkSync('../../packages/core', join(folder, 'node_modules/@plinth/core'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }

  it('is kept', () => {
    expect(violations(process.cwd())).toEqual([]);
  });

  it("lets a team's ordinary NestJS module be, with TypeORM in services and packages of its own; of the base it takes public names alone", () => {
    write({
      'packages/core/src/http/text.ts': leaf,
      'packages/core/src/index.ts': `export { x } from './http/text.js';\n`,
      'src/products/products.repository.ts': leaf,
      'src/news/index.ts': `export * from './news.service.js';\n`,
      'src/news/news.service.ts': `import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import pg from 'pg';
import { LRUCache } from 'lru-cache';
import { x } from '../products/products.repository.js';
import { x as y } from '@plinth/core';
import { Article } from './article.entity.js';
export const used = [InjectRepository, Repository, pg, LRUCache, x, y, Article];
`,
      'src/news/article.entity.ts': `import { Author } from './author.entity.js';\nexport class Article {\n  author?: Author;\n}\n`,
      'src/news/author.entity.ts': `import { Article } from './article.entity.js';\nexport class Author {\n  articles?: Article[];\n}\n`,
      'src/offers/offers.service.ts': `import { x } from '../../packages/core/src/http/text.js';\nexport const used = x;\n`,
    });
    expect(violations(folder)).toEqual([
      'public-names: src/offers/offers.service.ts → packages/core/src/http/text.ts',
    ]);
  });
});
