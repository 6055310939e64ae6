import { readFileSync } from 'node:fs';

import { entriesOf, publicApi, undocumented } from '../../scripts/lib/public-api.mjs';

const SURFACE = 'packages/core/public-api.txt';
const entries = entriesOf(process.cwd());

it(`is the surface in ${SURFACE}: each public name of the base, with its signature`, () => {
  // Written by `npm run openapi`; what changes here changes for every team.
  expect(publicApi(entries)).toBe(readFileSync(SURFACE, 'utf8'));
});

it('is documented: each name by a comment, each that is called with an example', () => {
  expect(undocumented(entries)).toEqual([]);
});
