import { DataSource } from 'typeorm';

import { ticketList } from '../../../packages/core/test/examples/companies/ticket.resource.js';
import { EntityTable } from '../../../packages/core/src/database/entity-table.js';
import { CursorCodec } from '../../../packages/core/src/lists/cursor.js';
import { readListQuery } from '../../../packages/core/src/lists/list-query.js';
import { listStatement } from '../../../packages/core/src/lists/list-statement.js';
import { scopedList } from '../../../packages/core/src/lists/scoped-list.js';
import { listFaults } from '../../../packages/dev/src/laws/lists.js';
import {
  limitText,
  policiesOf,
  ServedList,
  servedLists,
} from '../../../packages/dev/src/lists/served-lists.js';
import { CompaniesApp, startCompanies } from '../../support/companies.js';

describe('the lists of companies', () => {
  let app: CompaniesApp;
  let dataSource: DataSource;
  let served: ServedList[];

  beforeAll(async () => {
    app = await startCompanies(['acme']);
    dataSource = app.app.nest.get(DataSource);
    served = servedLists(policiesOf(app.app.nest));
  });
  afterAll(() => app.stop());

  const keysOf = async (table: string): Promise<string[]> => {
    const rows = await app.query<{ keys: string }>(
      `select substring(indexdef from 'USING btree \\((.*?)\\)(?: INCLUDE|$)') as keys from pg_indexes
       where schemaname = 'public' and tablename = $1`,
      [table],
    );
    return rows.map(({ keys }) => keys);
  };

  it('are served with all rows, and with the rows of a company', () => {
    const shown = served.map(({ list, fixed, limit }) => [list.name, fixed, limit && limitText(limit)]);
    expect(shown).toEqual(
      expect.arrayContaining([
        ['tickets', [], undefined],
        ['tickets', [], 'companyId'],
        ['users', [], 'companyId'],
        ['comments', ['ticketId'], 'ticketId'],
        ['reactions', [], 'commentId'],
      ]),
    );
    // A company finds its row by the primary key.
    expect(shown.filter(([name]) => name === 'companies')).toEqual([['companies', [], undefined]]);
  });

  it('have indexes that begin with the company, for each sort and each filter with a total', async () => {
    const keys = await keysOf('tickets');
    expect(keys).toEqual(
      expect.arrayContaining([
        'company_id, created_at, id',
        'company_id, subject COLLATE "und-x-icu", id',
        'company_id, status, created_at, id',
        'company_id, status, subject COLLATE "und-x-icu", id',
      ]),
    );
    expect(await keysOf('users')).toContain('company_id, created_at, id');
    expect((await keysOf('companies')).filter((one) => /^id,/.test(one))).toEqual([]);
  });

  const [ONE, TWO] = [
    { property: 'companyId', ids: [1] },
    { property: 'companyId', ids: [1, 2] },
  ];
  const ASSIGNEE = { property: 'assigneeId', ids: [1] };
  it.each([
    ['one company', '', { anyOf: [[ONE]] }, true],
    ['one company, by subject', 'sort=subject:asc', { anyOf: [[ONE]] }, true],
    ['one company, by cursor', 'cursor=', { anyOf: [[ONE]] }, true],
    ['one company, with a filter', 'status=open', { anyOf: [[ONE]] }, true],
    ['one company, with a filter without a total', 'assigneeId=1', { anyOf: [[ONE]] }, false],
    ['one company, with two values', 'status=open&status=closed', { anyOf: [[ONE]] }, false],
    ['one company, by id', 'sort=id:asc', { anyOf: [[ONE]] }, false],
    ['one company, far into the list', 'page=51', { anyOf: [[ONE]] }, false],
    ['all companies, far into the list', 'page=51', { anyOf: null }, true],
    ['two companies', '', { anyOf: [[TWO]] }, false],
    ['one assignee', '', { anyOf: [[ASSIGNEE]] }, false],
    ['one assignee of a company', '', { anyOf: [[ONE, ASSIGNEE]] }, false],
    ['one company or one assignee', '', { anyOf: [[ONE], [ASSIGNEE]] }, false],
    ['one company, with a grant', '', { anyOf: [[ONE]], except: [ASSIGNEE] }, false],
    ['no company', '', { anyOf: [] }, false],
  ])('share a plan only if an index has their rows in order: %s', (_, text, scope, isPrepared) => {
    const cursors = new CursorCodec(['a-secret-of-the-tests-of-32-bytes-or-more']);
    const query = readListQuery(scopedList(ticketList), text, cursors);
    const table = new EntityTable(dataSource.getMetadata(ticketList.entity));
    const { name } = listStatement(table, { ...query, scope: { except: [], ...scope } });
    expect(name !== undefined).toBe(isPrepared);
  });

  it('read only a page of the rows of a company', async () => {
    expect(await listFaults(dataSource, served)).toEqual([]);
  });

  it('break the law without an index on the parents of rows', async () => {
    const [index] = await app.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes
       where tablename = 'reactions' and indexdef like '%(comment_id, created_at%'`,
    );
    await app.query(`drop index "${index!.name}"`);
    const reactions = served.filter(({ list }) => list.name === 'reactions');
    const faults = await listFaults(dataSource, reactions);
    await app.query(index!.definition);
    expect(faults.join('\n')).toContain('?sort=createdAt:asc&page=1 for callers with rows by commentId');
    expect(await listFaults(dataSource, reactions)).toEqual([]);
  });

  it('break the law without indexes that begin with the company', async () => {
    const indexes = await app.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes
       where tablename = 'tickets' and indexdef like '%(company_id, %'`,
    );
    for (const { name } of indexes) await app.query(`drop index "${name}"`);
    const tickets = served.filter(({ list }) => list.name === 'tickets');
    const faults = await listFaults(dataSource, tickets);
    for (const { definition } of indexes) await app.query(definition);
    const [fault] = faults.filter((one) => one.includes('?sort=subject:asc&page=1'));
    expect(fault).toContain(
      'list tickets, ?sort=subject:asc&page=1 for callers with rows by companyId: reads',
    );
    expect(fault).toMatch(/it needs an index on "tickets" \("company_id", .*"subject".*, "id"\)/);
    expect(await listFaults(dataSource, tickets)).toEqual([]);
  });
});
