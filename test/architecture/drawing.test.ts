import { execFileSync } from 'node:child_process';

describe('docs/architecture.svg', () => {
  it('shows the folders and the hooks as the code has them; `npm run architecture` draws it anew', () => {
    const run = (): string =>
      execFileSync(process.execPath, ['scripts/draw-architecture.mjs', '--check'], { encoding: 'utf8' });
    expect(run).not.toThrow();
  });
});
