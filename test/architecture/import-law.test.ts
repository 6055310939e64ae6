import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { brokenImports } from '../../packages/dev/src/testing/laws.js';

it('the base obeys its import law', () => {
  const depcruise = join(process.cwd(), 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [depcruise, 'src', 'packages/core/src', '--config', '.dependency-cruiser.cjs'];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toContain(
    'no dependency violations found',
  );
});

const leaf = 'export const x = 1;\n';
describe('the import law of an application', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'service-import-law-'));
    for (const file of ['package.json', 'tsconfig.json']) cpSync(file, join(folder, file));
    for (const name of ['typeorm', 'pg', '@nestjs/typeorm', '@nestjs/common', 'lru-cache', 'jest', 'big.js'])
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

  it('refuses imports that are private, development-only or missing, and accepts an ordinary module', async () => {
    // An ordinary module may use TypeORM in a service, packages of its own and circular entities.
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
import { StreamableFile } from '@nestjs/common';
import { x as y } from '@plinth/core';
import { Article } from './article.entity.js';
export const used = [InjectRepository, Repository, pg, LRUCache, StreamableFile, x, y, Article];
`,
      'src/news/article.entity.ts': `import { Author } from './author.entity.js';\nexport class Article {\n  author?: Author;\n}\n`,
      'src/news/author.entity.ts': `import { Article } from './article.entity.js';\nexport class Author {\n  articles?: Article[];\n}\n`,
      'src/news/news.service.test.ts': `import 'jest';\n`,
    });
    write({
      'packages/core/src/auth.ts': leaf,
      'src/auth/keys.ts': `export * from '@plinth/core/auth';\n`,
      'src/offers/offers.ts': `import type { Config } from 'jest';
import { Big } from 'big.js';
import { x } from '@plinth/core/auth';
import { y } from '@plinth/core/src/http/text.js';
export const used = [Big, x, y] as unknown as Config;
`,
    });
    expect((await brokenImports(folder)).sort()).toEqual([
      expect.stringMatching(/^src.offers.offers.ts → @plinth.core.src.http.text.js: it cannot be resolved/),
      expect.stringMatching(/^src.offers.offers.ts → node_modules.big.js.index.js: it is not installed in/),
      expect.stringMatching(/^src.offers.offers.ts → packages.core.src.auth.ts: @plinth.core.auth is for/),
    ]);
  });
});
