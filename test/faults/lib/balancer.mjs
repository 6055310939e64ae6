/**
 * A balancer in a process of its own, so that it is no slower to notice than a real one. Started by `Balancer.start()`
 * with the kind and the ports of the instances; says its own port to its parent.
 *
 * `poll`: asks each instance whether it is ready, and sends requests to those that said so the last time.
 * `follow`: asks nobody. It goes to the next instance where a connection is refused, which is before anything was sent,
 * and keeps a connection no longer than its answers say.
 *
 * Neither sends a request twice, for it may have been done: what an instance drops is lost, and answered with 599.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { fileURLToPath } from 'node:url';

import { freePort } from '../../../scripts/lib/free-port.mjs';
import { destroy } from './processes.mjs';
import { until } from './waiting.mjs';

const POLL_MS = 200;
/** How long an instance that refuses connections is left alone. */
const AWAY_MS = 200;

export class Balancer {
  /** @param kind `'poll'` or `'follow'` */
  static async start(scope, kind, instances) {
    const port = await freePort();
    const ports = instances.map((instance) => String(instance.port));
    const child = fork(fileURLToPath(import.meta.url), ['balance', kind, String(port), ...ports]);
    child.ended = new Promise((resolve) => child.once('exit', resolve));
    scope.defer(() => destroy(child));
    await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`the balancer ended with ${code}`)));
    });
    return new Balancer(port, child);
  }

  #child;

  constructor(port, child) {
    this.port = port;
    this.#child = child;
  }

  /** Until requests go to all instances. */
  async findsAll() {
    await until('the balancer finds all instances', async () => {
      this.#child.send('how many are away?');
      const [away] = await once(this.#child, 'message');
      return away === 0;
    });
  }
}

/** An instance that says nothing is busy, or gone; one that says 503, or takes no connection, is leaving. */
const SILENCES = 3;

class Instance {
  isAway = false;
  agent = new http.Agent({ keepAlive: true });
  #silences = 0;

  constructor(port, kind) {
    this.port = port;
    if (kind === 'poll') {
      this.isAway = true;
      this.#poll();
    }
  }

  #poll() {
    const ask = { host: '127.0.0.1', port: this.port, path: '/health/ready', agent: false, timeout: 1000 };
    const asked = http.get(ask, (response) => {
      this.isAway = response.statusCode !== 200;
      this.#silences = 0;
      response.resume();
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', ({ code }) => {
      this.isAway ||= code === 'ECONNREFUSED' || ++this.#silences === SILENCES;
    });
    asked.on('close', () => setTimeout(() => this.#poll(), POLL_MS));
  }

  leaveAlone() {
    this.isAway = true;
    setTimeout(() => (this.isAway = false), AWAY_MS);
  }
}

function balance(kind, port, ports) {
  const instances = ports.map((each) => new Instance(each, kind));
  let turn = 0;
  const next = (tried) => {
    const others = instances.filter((instance) => !tried.includes(instance));
    const here = others.filter(({ isAway }) => !isAway);
    return here.length > 0 ? here[turn++ % here.length] : others[0];
  };
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => pass({ request, response, body: Buffer.concat(chunks), next, kind, tried: [] }));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(port, '127.0.0.1', () => process.send('listening'));
  process.on('message', () => process.send(instances.filter(({ isAway }) => isAway).length));
  process.on('disconnect', () => process.exit());
}

function pass({ request, response, body, next, kind, tried }) {
  const instance = next(tried);
  if (!instance) return lose(response, 'no instance takes connections');
  const { method, url: path, headers } = request;
  const { agent, port } = instance;
  const sent = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
    const { connection: _, 'keep-alive': __, ...others } = answer.headers;
    response.writeHead(answer.statusCode, others);
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  sent.on('error', (error) => {
    if (error.code === 'ECONNREFUSED' && kind === 'follow') {
      instance.leaveAlone();
      pass({ request, response, body, next, kind, tried: [...tried, instance] });
    } else if (response.headersSent) response.destroy();
    else
      lose(
        response,
        `${error.code} ${error.message} after ${sent.reusedSocket ? 'other requests' : 'connecting'}`,
      );
  });
  sent.end(body);
}

function lose(response, reason) {
  response.writeHead(599, { 'content-type': 'text/plain' });
  response.end(`lost: ${reason}`);
}

if (process.argv[2] === 'balance') {
  const [kind, port, ...ports] = process.argv.slice(3);
  balance(kind, Number(port), ports.map(Number));
}
