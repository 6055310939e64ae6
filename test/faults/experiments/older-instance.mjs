import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { inRoot } from '../../../scripts/lib/paths.mjs';
import { Balancer } from '../lib/balancer.mjs';
import { Database } from '../lib/database.mjs';
import { Shop, stock } from '../lib/shop.mjs';

/** The release before this one, on the schema of this one, as long as a rolling update takes. */
export default {
  name: 'older-instance',
  about: 'the last release (or the commit that FAULTS_OLDER names) beside this build',
  isLongOnly: true,
  async run(lab) {
    const release = git('describe', '--tags', '--abbrev=0');
    const commit = process.env.FAULTS_OLDER ?? release.stdout.trim();
    lab.need(commit !== '', 'there is no release yet to run beside; FAULTS_OLDER names a commit');
    const main = build(lab, commit);
    await lab.row(
      'older-instance',
      `an instance of ${commit} beside this one, behind a balancer`,
      async (row) => {
        const database = await Database.create(await lab.cluster(), lab.scope);
        const older = await lab.service({ DATABASE_URL: database.url }, { main });
        await stock(older);
        const service = await lab.service({ DATABASE_URL: database.url });
        const shop = await new Shop(database, service).open();
        const target = await Balancer.start(lab.scope, 'follow', [older, service]);
        await lab.mistreat(row, shop, (load) => load.progress(2000, 300), { target, faults: [] });
        row.takeService(older);
      },
    );
  },
};

const git = (...args) => spawnSync('git', args, { cwd: inRoot(), encoding: 'utf8' });

/** @returns the built program of a commit, with the packages of this one */
function build(lab, commit) {
  const folder = join(lab.folder(), 'older');
  const added = git('worktree', 'add', '--detach', folder, commit);
  if (added.status !== 0) throw new Error(`git worktree: ${added.stderr}`);
  lab.scope.defer(() => git('worktree', 'remove', '--force', folder));
  symlinkSync(inRoot('node_modules'), join(folder, 'node_modules'));
  const built = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`${commit} does not compile: ${built.stdout.slice(0, 500)}`);
  return join(folder, 'dist/src/main.js');
}
