import { readFileSync } from 'node:fs';

import { typeText } from '../../tools/openapi/type-text.js';

describe('the surface of the API', () => {
  const lines = readFileSync('docs/api-surface.txt', 'utf8').trim().split('\n');

  it('names what clients depend on', () => {
    expect(lines.find((line) => line.startsWith('PATCH /api/v1/products/{id} '))).toMatch(
      /^PATCH \S+ patchProduct \[update\] \(id!: integer\(.*\), .*body: PatchProduct\) → 200 Product with ETag, Last-Modified; 400 /,
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^Product \{ id!: integer\(.*\), name!: string\(.*\), /),
    );
  });

  it.each([
    [{ type: ['string', 'null'], minLength: 1, maxLength: 200 }, 'string(1..200) | null'],
    [{ type: 'number', exclusiveMinimum: 0 }, 'number(0<..)'],
    [
      { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 5, uniqueItems: true },
      '("a" | "b")[](..5, unique)',
    ],
    [{ properties: { id: { type: 'integer' } }, required: ['id'] }, '{ id!: integer }'],
    [{ $ref: '#/components/schemas/Product' }, 'Product'],
  ])('writes %j as %s', (schema, text) => {
    expect(typeText(schema)).toBe(text);
  });
});
