import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { listSettings } from '../../packages/core/src/config/read-config.js';

const settings = listSettings();
/** Variables whose default is computed, so that it is not shown as text. */
const COMPUTED = ['ADMIN_EMAIL', 'MAIL_FROM', 'TRUST_PROXY', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const defaults = settings.map(({ name, schema }) => {
  const value = schema.parse(undefined);
  const isUnset = value === undefined || COMPUTED.includes(name) || Array.isArray(value);
  return [name, isUnset ? undefined : JSON.stringify(value).replace(/^"|"$/g, '')];
});

const linesOf = (file: string): string[] =>
  readFileSync(join(__dirname, '..', '..', file), 'utf8').split('\n');

describe('packages/core/docs/configuration.md', () => {
  const rows = linesOf('packages/core/docs/configuration.md')
    .map((line) => /^\| `([A-Z0-9_]+)` +\| (.+?) +\| (.+?) +\| (.+?) +\|$/.exec(line))
    .filter((row) => row !== null)
    .map(([, name, byDefault, taken, meaning]) => ({ name, byDefault, taken, meaning }));

  it('lists every variable once, in the order of the code, with its default', () => {
    const documented = rows.map(({ name, byDefault }) => [name, /^`(.+)`$/.exec(byDefault!)?.[1]]);
    expect(documented).toEqual(defaults);
    for (const { byDefault } of rows) expect(byDefault).toMatch(/^(`.+`|unset)$/);
  });

  it('describes each value in the words of the error message', () => {
    const taken = new Map(rows.map((row) => [row.name, row.taken]));
    const expected = settings.map(({ name, schema }) => [
      name,
      schema.safeParse('\u0000').error?.issues[0]?.message ?? taken.get(name),
    ]);
    expect([...taken]).toEqual(expected);
  });
});

describe('.env.example', () => {
  const lines = linesOf('.env.example');
  const examples = lines
    .map((line) => /^#([A-Z0-9_]+)=(.*)$/.exec(line))
    .filter((setting) => setting !== null);

  it('lists every variable once, in the order of the code, with its default', () => {
    expect(examples.map(([, name, value]) => [name, value === '' ? undefined : value])).toEqual(defaults);
  });

  it('sets no variable', () => {
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  });
});
