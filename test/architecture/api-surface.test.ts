import { readFileSync } from 'node:fs';

import { breakingChanges } from '../../tools/openapi/breaking-changes.js';
import { surfaceOf } from '../../tools/openapi/surface.js';

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n');

describe('the surface of the API', () => {
  it('breaks nothing of the last release that CHANGELOG.md does not name', () => {
    const [, section = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
    const changes = breakingChanges(
      linesOf('docs/api-surface.released.txt'),
      linesOf('docs/api-surface.txt'),
    );
    // Copy each line, in backticks, to "Breaking changes" of the first section.
    expect(changes.filter((change) => !section.includes(`\`${change}\``))).toEqual([]);
  });

  it('names what clients depend on', () => {
    const line = linesOf('docs/api-surface.txt').find((one) =>
      one.startsWith('PATCH /api/v1/products/{id} '),
    );
    expect(line).toMatch(
      /^PATCH \S+ patchProduct \(id!: integer, .*body: PatchProduct\) → 200 Product; 400 /,
    );
    expect(linesOf('docs/api-surface.txt')).toContainEqual(
      expect.stringMatching(/^Product \{ id!: integer, name!: string, /),
    );
  });
});

describe('breakingChanges', () => {
  const before = [
    'GET /a listA (page: integer, sort: name | price, id!: integer) → 200 A; 404 X',
    'POST /a createA (body: NewA) → 201 A',
    'A { id!: integer, tags: { a!: string, b: integer } }',
    'NewA { name!: string, note: string }',
    'Kind "x" | "y"',
  ];
  const after = (from: string, to: string): string[] => before.map((line) => line.replace(from, to));

  it.each([
    ['nothing', before, []],
    ['an added parameter', after('(page:', '(limit: integer, page:'), []],
    ['an added field of a response', after('{ id!: integer,', '{ id!: integer, name!: string,'), []],
    ['another error', after('404 X', '404 X; 409 Y'), []],
    ['a lost operation', before.slice(1), ['GET /a: is gone']],
    ['another name', after('listA', 'listAs'), ['GET /a: is called listAs, was listA']],
    ['a lost parameter', after('page: integer, ', ''), ['GET /a: page is gone']],
    ['a required parameter', after('page:', 'page!:'), ['GET /a: page is required']],
    [
      'another type of a parameter',
      after('page: integer', 'page: string'),
      ['GET /a: page is string, was integer'],
    ],
    ['a lost sort', after('name | price', 'price'), ['GET /a: sort is price, was name | price']],
    ['an added sort', after('name | price', 'name | price | rating'), []],
    ['another success', after('200 A', '200 B'), ['GET /a: no longer answers 200 A']],
    ['a lost field', after(', note: string', ''), ['NewA.note: is gone']],
    ['a required field', after('note:', 'note!:'), ['NewA.note: is required']],
    ['a field that may be absent', after('id!', 'id'), ['A.id: may be absent']],
    ['another type', after('{ id!: integer', '{ id!: string'), ['A.id: is string, was integer']],
    ['a lost schema', before.slice(0, -1), ['Kind: is gone']],
    ['a lost word', after(' | "y"', ''), ['Kind: is "x", was "x" | "y"']],
  ])('finds of %s what it breaks', (_, now, expected) => {
    expect(breakingChanges(before, now)).toEqual(expected);
  });
});

describe('surfaceOf', () => {
  it('writes a line for each operation and schema', () => {
    const schema = { $ref: '#/components/schemas/A' };
    const A = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: ['integer', 'null'] }, of: { items: schema } },
    };
    const responses = { 200: { content: { 'application/json': { schema } } }, default: {} };
    const parameters = [
      { name: 'p', in: 'query', required: true, schema: { type: 'boolean' } },
      { name: 'sort', in: 'query', schema: { type: 'string', pattern: '^(?:a|b):(?:asc|desc)(?:,…)?$' } },
    ];
    const paths = {
      '/a': { get: { operationId: 'getA', parameters, responses } },
    };
    expect(surfaceOf({ paths, components: { schemas: { A } } })).toEqual([
      'GET /a getA (p!: boolean, sort: a | b) → 200 A',
      'A { id!: integer | null, of: A[] }',
    ]);
  });
});
