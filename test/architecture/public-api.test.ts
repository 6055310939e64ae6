import { readFileSync } from 'node:fs';

import { entriesOf, publicApi, undocumented } from '../../scripts/lib/public-api.mjs';

const SURFACE = 'packages/core/public-api.txt';
const entries = entriesOf(process.cwd());

it(`the public API equals ${SURFACE}, each name with its signature`, () => {
  // `npm run openapi` writes the file. Every change in it concerns every team.
  expect(publicApi(entries)).toBe(readFileSync(SURFACE, 'utf8'));
});

it('the public API has a comment for each name, and an example for each function', () => {
  expect(undocumented(entries)).toEqual([]);
});
