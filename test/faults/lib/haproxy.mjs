import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from '../../../scripts/lib/free-port.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { temporaryFolder } from './cleanup.mjs';
import { send } from './http.mjs';
import { destroy, start } from './processes.mjs';
import { until } from './waiting.mjs';

export const hasHaproxy = () => spawnSync('haproxy', ['-v']).status === 0;

/** What stands before the instances of production, with a front of plain HTTP and a page of its state. */
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

/** HAProxy before two instances, with the interface of `Balancer`. */
export class Haproxy {
  static async start(scope, instances) {
    const haproxy = new Haproxy();
    haproxy.port = await freePort();
    haproxy.statusPort = await freePort();
    const [first, second] = instances.map(({ port }) => `127.0.0.1:${port}`);
    const file = join(temporaryFolder(scope, 'haproxy'), 'fronts.cfg');
    writeFileSync(file, fronts(haproxy));
    const env = { ...process.env, INSTANCE_1: first, INSTANCE_2: second };
    const child = start('haproxy', ['-db', '-f', INSTANCES, '-f', file], {
      stdio: 'ignore',
      detached: true,
      env,
    });
    scope.defer(() => destroy(child));
    haproxy.count = instances.length;
    return haproxy;
  }

  /** Until requests go to all instances. */
  async findsAll() {
    await until('haproxy finds all instances', async () => (await this.#up()) === this.count);
  }

  async #up() {
    try {
      const { text } = await send({ port: this.statusPort, path: '/;csv' });
      return text.split('\n').filter((line) => /^instances,instance\d+,.*,UP,/.test(line)).length;
    } catch {
      return 0;
    }
  }
}
