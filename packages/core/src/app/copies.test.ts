import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { assertNoSecondCopy } from './copies.js';

describe('assertNoSecondCopy()', () => {
  let root: string;
  beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'copies-')))));
  afterEach(() => rmSync(root, { recursive: true }));

  function install(folder: string, peers: readonly string[] = []): string {
    const path = join(root, folder);
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    mkdirSync(path, { recursive: true });
    const peerDependencies = Object.fromEntries(peers.map((peer) => [peer, '*']));
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name, peerDependencies }));
    return path;
  }

  function link(target: string, folder: string): void {
    mkdirSync(dirname(join(root, folder)), { recursive: true });
    symlinkSync(target, join(root, folder), 'dir');
  }

  const check = (application: string, base: string, loaded = [base]): void =>
    assertNoSecondCopy(join(root, application), base, new Set(loaded));

  it('accepts the packages that are installed in this repository', () => {
    expect(() => assertNoSecondCopy()).not.toThrow();
  });

  it('accepts a peer that is installed once, beside the base or above it, or not at all', () => {
    const base = install('app/node_modules/@plinth/core', ['pg', 'rxjs', 'typeorm']);
    install('app/node_modules/pg');
    install('node_modules/rxjs');
    expect(() => check('app', base)).not.toThrow();
  });

  it('accepts links of workspaces and of a package store', () => {
    const workspace = install('packages/node_modules/core', ['pg']);
    link(workspace, 'node_modules/core');
    install('node_modules/pg');
    expect(() => check('apps/api', workspace)).not.toThrow();
    const pg = install('store/pg@8/node_modules/pg');
    const stored = install('store/core@1/node_modules/core', ['pg']);
    link(pg, 'store/core@1/node_modules/pg');
    link(pg, 'app/node_modules/pg');
    link(stored, 'app/node_modules/core');
    expect(() => check('app', stored)).not.toThrow();
  });

  it('refuses a peer of which the base has a second copy', () => {
    const base = install('app/node_modules/@plinth/core', ['pg', 'typeorm']);
    const [theirs, ours] = ['app/node_modules/typeorm', 'app/node_modules/@plinth/core/node_modules/typeorm'];
    install(ours);
    expect(() => check('app', base)).not.toThrow();
    install(theirs);
    expect(() => check('app', base)).toThrow(
      `typeorm is loaded from ${join(root, theirs)} and from ${join(root, ours)}, but only one copy may be loaded: \`npm ls typeorm\``,
    );
  });

  it('refuses a second copy of the base itself, in the application or in one of its packages', () => {
    const base = install('app/node_modules/core');
    const other = install('app/node_modules/teams/node_modules/core');
    const sentence = `core is loaded from ${other} and from ${base}, but only one copy may be loaded: \`npm ls core\``;
    expect(() => check('app', base, [base, other])).toThrow(sentence);
    expect(() => check('app/node_modules/teams', base)).toThrow(sentence);
  });
});
