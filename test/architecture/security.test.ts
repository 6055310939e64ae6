import { rowsOf, testsNamedBy, titlesLike } from '../support/named-tests.js';

const rows = rowsOf('packages/core/docs/security.md');
const named = testsNamedBy(rows);

describe('packages/core/docs/security.md', () => {
  it.each(named)('names a test that exists for "$row": $file › $title', ({ file, title }) => {
    expect(title).not.toBe('');
    expect(titlesLike(file, title)).not.toEqual([]);
  });

  it('lists all ten risks, and a test or a reason for each point', () => {
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
