import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Rejected } from '../../src/config/parsers.js';
import { Variable, VARIABLES } from '../../src/config/variables.js';

const variables: [string, Variable<unknown>][] = Object.entries(VARIABLES);
const defaults = variables.map(([name, variable]) => [name, variable.default]);

const linesOf = (file: string): string[] =>
  readFileSync(join(__dirname, '..', '..', file), 'utf8').split('\n');

/** What a variable says that it takes, where it does not take everything. */
function takes({ parse }: Variable<unknown>): string | undefined {
  try {
    parse('\u0000');
    return undefined;
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    return error.message;
  }
}

describe('docs/configuration.md', () => {
  const rows = linesOf('docs/configuration.md')
    .map((line) => /^\| `([A-Z0-9_]+)` +\| (.+?) +\| (.+?) +\| (.+?) +\|$/.exec(line))
    .filter((row) => row !== null)
    .map(([, name, byDefault, taken, meaning]) => ({ name, byDefault, taken, meaning }));

  it('lists every variable once, in the order of the code, with its default', () => {
    const documented = rows.map(({ name, byDefault }) => [name, /^`(.+)`$/.exec(byDefault!)?.[1]]);
    expect(documented).toEqual(defaults);
    for (const { byDefault } of rows) expect(byDefault).toMatch(/^(`.+`|unset)$/);
  });

  it('says what each takes in the words of its error', () => {
    const taken = new Map(rows.map((row) => [row.name, row.taken]));
    const expected = variables.map(([name, variable]) => [name, takes(variable) ?? taken.get(name)]);
    expect([...taken]).toEqual(expected);
  });
});

describe('.env.example', () => {
  const lines = linesOf('.env.example');
  const settings = lines
    .map((line) => /^#([A-Z0-9_]+)=(.*)$/.exec(line))
    .filter((setting) => setting !== null);

  it('lists every variable once, in the order of the code, with its default', () => {
    expect(settings.map(([, name, value]) => [name, value === '' ? undefined : value])).toEqual(defaults);
  });

  it('sets nothing as it is', () => {
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  });

  it('has the meaning of each in the line above', () => {
    const above = settings.map(([setting]) => lines[lines.indexOf(setting) - 1]);
    expect(above).toEqual(variables.map(([, { meaning }]) => `# ${meaning}`));
  });
});
