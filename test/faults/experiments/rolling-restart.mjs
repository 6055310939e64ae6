import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from '../../../scripts/lib/free-port.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { send } from '../lib/http.mjs';
import { destroy, start } from '../lib/processes.mjs';
import { until } from '../lib/waiting.mjs';

const SETTINGS = { SHUTDOWN_DELAY_MS: '1500' };

/** The HAProxy configuration of production, with a front end of plain HTTP and a status page. */
const INSTANCES = inRoot('deploy/haproxy/10-instances.cfg');
const fronts = ({ port, statusPort }) => `
frontend front
  bind 127.0.0.1:${port}
  default_backend instances
frontend status
  bind 127.0.0.1:${statusPort}
  stats enable
  stats uri /
`;

/** F11: a rolling restart loses no request. */
export default async function rollingRestart(lab) {
  lab.need(
    spawnSync('haproxy', ['-v']).status === 0,
    'haproxy is not installed (Debian: apt-get install haproxy)',
  );
  const shop = await lab.shop(SETTINGS);
  const second = await lab.service({ DATABASE_URL: shop.database.url, ...SETTINGS });
  const instances = [shop.service, second];
  const haproxy = await startHaproxy(lab, instances);
  await findsAll(haproxy);
  await lab.row(
    'rolling-restart',
    'two instances behind HAProxy are restarted in turn (F11)',
    async (row) => {
      const restart = async (load) => {
        for (const instance of instances) {
          await load.progress();
          const { code, seconds } = await instance.stop();
          row.check(code === 0, `exit ${code} after ${seconds.toFixed(1)} s`);
          row.within(seconds, 10, 'stopped');
          await instance.restart();
          // Wait before the other instance stops.
          await findsAll(haproxy);
        }
      };
      // Every request gets its usual response, never 502 or 503.
      await lab.mistreat(row, shop, restart, { target: haproxy, faults: [] });
      row.takeService(second);
    },
  );
}

async function startHaproxy(lab, instances) {
  const haproxy = { port: await freePort(), statusPort: await freePort() };
  const [INSTANCE_1, INSTANCE_2] = instances.map(({ port }) => `127.0.0.1:${port}`);
  const file = join(lab.folder(), 'fronts.cfg');
  writeFileSync(file, fronts(haproxy));
  const env = { ...process.env, INSTANCE_1, INSTANCE_2 };
  const child = start('haproxy', ['-db', '-f', INSTANCES, '-f', file], { stdio: 'ignore', env });
  lab.scope.defer(() => destroy(child));
  return haproxy;
}

/** Waits until HAProxy sends requests to both instances. */
const findsAll = ({ statusPort }) =>
  until('HAProxy finds both instances', async () => {
    const { text } = await send({ port: statusPort, path: '/;csv' }).catch(() => ({ text: '' }));
    return text.split('\n').filter((line) => /^instances,instance\d+,.*,UP,/.test(line)).length === 2;
  });
