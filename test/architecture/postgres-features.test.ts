import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createDatabase, TestDatabase } from '../support/databases.js';
import { postgresFeatures } from '../support/postgres-features.js';

describe('docs/scaling.md', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  it('lists what the schema and the statements use of PostgreSQL, and nothing else', async () => {
    const page = readFileSync(join(process.cwd(), 'docs/scaling.md'), 'utf8');
    const [, table = ''] = /^\| used \|.*\n\| ---.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const cells = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) => [
      ...cell.matchAll(/`([^`]+)`/g),
    ]);
    const used = await postgresFeatures((text) => database.query(text));
    expect(cells.map(([, name]) => name).sort()).toEqual([...used].sort());
  });
});
