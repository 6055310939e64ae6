import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from './cleanup.mjs';
import { send } from './http.mjs';
import { destroy, freePort, start } from './processes.mjs';
import { until } from './waiting.mjs';

export const hasHaproxy = () => spawnSync('haproxy', ['-v']).status === 0;

/** It polls readiness, and otherwise does what it does by itself. */
const configuration = ({ port, statusPort, ports }) => `
global
  maxconn 1000
defaults
  mode http
  timeout connect 3s
  timeout client 60s
  timeout server 60s
  timeout check 1s
frontend front
  bind 127.0.0.1:${port}
  default_backend instances
backend instances
  balance roundrobin
  option httpchk GET /health/ready
  http-check expect status 200
  default-server check inter 200ms fastinter 100ms fall 1 rise 1
${ports.map((each, i) => `  server instance${i} 127.0.0.1:${each}`).join('\n')}
frontend status
  bind 127.0.0.1:${statusPort}
  stats enable
  stats uri /
`;

/** HAProxy before instances, with the interface of `Balancer`. */
export class Haproxy {
  static async start(scope, instances) {
    const haproxy = new Haproxy();
    haproxy.port = await freePort();
    haproxy.statusPort = await freePort();
    const ports = instances.map((instance) => instance.port);
    const file = join(temporaryFolder(scope, 'haproxy'), 'haproxy.cfg');
    writeFileSync(file, configuration({ ...haproxy, ports }));
    const child = start('haproxy', ['-db', '-f', file], { stdio: 'ignore', detached: true });
    scope.defer(() => destroy(child));
    haproxy.count = ports.length;
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
