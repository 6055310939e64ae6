import { existsSync, readFileSync } from 'node:fs';

/** The rows of the page's tables: their cells. */
const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  .map((line) => line.slice(2, -2).split(' | '));

/** Tests that a cell names: a file, and a part of a title in it. */
const named = rows.flatMap(([point = '', , shown = '']) =>
  [...shown.matchAll(/`(\S+\.test\.ts) › ([^`]*)`/g)].map(
    ([, file = '', title = '']): [string, string, string] => [point, file, title.trim()],
  ),
);

describe('O4 docs/security.md', () => {
  it.each(named)('%s is shown by %s › %s', (_point, file, title) => {
    expect(existsSync(file)).toBe(true);
    expect(title).not.toBe('');
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.filter((line) => /['"`]/.test(line) && line.includes(title))).not.toEqual([]);
  });

  it('has all ten risks, and no point without a test or a reason', () => {
    const risks = rows.map(([point = '']) => /^API(\d+) /.exec(point)?.[1]).filter(Boolean);
    expect(risks).toEqual(Array.from({ length: 10 }, (_, i) => String(i + 1)));
    const points = rows.filter(([point = '']) => /^(?:API)?\d+[. ]/.test(point));
    for (const [point, what = '', shown = ''] of points)
      expect([point, shown.includes('.test.ts › ') || `${what}${shown}`.includes('not ours')]).toEqual([
        point,
        true,
      ]);
    expect(named.length).toBeGreaterThan(40);
  });
});
