import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { sleep } from '../lib/waiting.mjs';

const HOST = 'database.faults.test';

/** The name in DATABASE_URL cannot be resolved for a while. */
export default {
  name: 'names',
  about: 'the name of the database is not known for a while (root)',
  isQuiet: true,
  async run(lab) {
    const { command, hosts } = ownNames(lab);
    const database = await lab.database();
    const url = Object.assign(new URL(database.url), { hostname: HOST }).href;
    const shop = await lab.shop({ DATABASE_URL: url }, { database, command });
    await lab.row(
      'name-unknown',
      'the name of the database is not known for 2 s, all connections ended',
      (row) =>
        lab.mistreat(row, shop, async () => {
          know(hosts, false);
          await database.endConnections();
          await sleep(2000);
          // As fast as a refused connection, for it is no more than that.
          know(hosts, true);
        }),
    );
    await lab.row('name-unknown-at-start', 'the name is known 2 s after the service was started', (row) =>
      startWithout(row, shop, hosts),
    );
  },
};

function know(hosts, isKnown) {
  writeFileSync(hosts, `127.0.0.1 localhost\n${isKnown ? `127.0.0.1 ${HOST}\n` : ''}`);
}

/** A process that sees files of its own as /etc/hosts and /etc/nsswitch.conf, and asks no server for names. */
function ownNames(lab) {
  const folder = lab.folder();
  const [hosts, order] = ['hosts', 'nsswitch.conf'].map((name) => join(folder, name));
  know(hosts, true);
  writeFileSync(order, 'hosts: files\n');
  const script = `mount --bind ${hosts} /etc/hosts && mount --bind ${order} /etc/nsswitch.conf && exec "$@"`;
  const command = ['unshare', '--mount', 'sh', '-c', script, 'sh'];
  const [program, ...args] = [...command, 'true'];
  lab.need(spawnSync(program, args).status === 0, 'names can be changed by root alone (unshare --mount)');
  return { command, hosts };
}

async function startWithout(row, shop, hosts) {
  await shop.service.stop();
  know(hosts, false);
  shop.service.spawn();
  await sleep(2000);
  know(hosts, true);
  await shop.service.serving();
  row.readyAfter(await shop.service.readyAgain());
  row.takeService(shop.service);
}
