import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { freePort } from '../../../scripts/lib/free-port.mjs';
import { MAIN } from '../../../scripts/lib/build.mjs';
import { temporaryFolder } from './cleanup.mjs';
import { Dropped, send } from './http.mjs';
import { destroy, hasEnded, signal, start } from './processes.mjs';
import { secondsSince, sleep, until } from './waiting.mjs';

/**
 * The settings of production behind a load balancer on this machine. Rate limits are off by default, because
 * all load comes from one address.
 */
const SETTINGS = {
  NODE_ENV: 'production',
  MAIL: 'off',
  DOCS: 'false',
  TRUST_PROXY: '127.0.0.1',
  JWT_SECRET: 'what the service of the fault experiments signs with',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'an administrator of experiments',
  ACCESS_TOKEN_TTL: '86400',
  RATE_LIMIT: '0',
  LOGIN_RATE_LIMIT: '1000000',
  LOG_LEVEL: 'warn',
};

const KEPT_OUTPUT = 64 * 1024;
const START_SECONDS = 60;

/** One process of the built service. It keeps its port and settings when it is restarted. */
export class Service {
  #child;
  #mayEnd = true;
  /** The end of its output, logs and messages. */
  output = '';
  /** Each unexpected end of the process. */
  deaths = [];
  /** The errors that it logged, including overload. */
  errors = [];

  /** @param settings environment variables, which replace those of every experiment */
  constructor(settings) {
    this.settings = { ...SETTINGS, ...settings };
  }

  /** Starts a process. @param scope the scope at whose end it is stopped */
  static async start(scope, settings) {
    const service = new Service(settings);
    service.port = await freePort();
    service.folder = temporaryFolder(scope, 'service');
    scope.defer(() => service.kill());
    await service.restart();
    return service;
  }

  async restart() {
    const { PATH, HOME } = process.env;
    const env = {
      PATH,
      HOME,
      DATA_DIR: join(this.folder, 'data'),
      ...this.settings,
      PORT: String(this.port),
    };
    this.output = '';
    this.#mayEnd = false;
    // A folder without a .env file.
    const child = start(process.execPath, [MAIN], {
      cwd: this.folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stderr, child.stdout])
      createInterface(stream).on('line', (line) => this.#keep(line));
    void child.ended.then((code) => {
      if (this.#child === child && !this.#mayEnd) this.deaths.push(`${code}: ${this.lastWords()}`);
    });
    this.#child = child;
    const isServing = () => {
      if (this.hasEnded) throw new Error(`the service does not start: ${this.lastWords()}`);
      return this.output.includes(' serves http') || this.#isAnswering('/health/live');
    };
    await until('the service serves', isServing, { seconds: START_SECONDS });
  }

  #keep(line) {
    this.output = `${this.output}${line}\n`.slice(-KEPT_OUTPUT);
    if (line.includes('"turnedAway"')) this.errors.push(`logged: ${line}`);
    if (!line.startsWith('{"level":50')) return;
    const { msg, route, error, err = error } = JSON.parse(line);
    const where = err?.stack
      ?.split('\n')
      .slice(1, 6)
      .map((at) => at.trim())
      .join(' ');
    this.errors.push(
      `logged: ${msg} (${route ?? 'no route'}) ${err?.name ?? ''} ${err?.code ?? ''} ${err?.message} ${where}`,
    );
  }

  async #isAnswering(path) {
    try {
      return (await send({ port: this.port, path, timeoutMs: 3000 })).status === 200;
    } catch (error) {
      if (error instanceof Dropped) return false;
      throw error;
    }
  }

  get hasEnded() {
    return hasEnded(this.#child);
  }

  /** The last lines of its output, for error messages. */
  lastWords() {
    const lines = this.output.trim().split('\n');
    const fatal = lines.findLast((line) => line.includes('"level":60')) ?? lines.at(-1) ?? '';
    return fatal.length > 400 ? `${fatal.slice(0, 400)}…` : fatal;
  }

  signal(name) {
    signal(this.#child.pid, name);
  }

  /** Kills it, like the end of the machine or a kernel that is out of memory. */
  async kill() {
    this.#mayEnd = true;
    if (this.#child) await destroy(this.#child);
  }

  /**
   * Stops it in order. @returns the exit code or signal and the duration, or `null` if it does not end in
   * time
   */
  async stop() {
    this.#mayEnd = true;
    const begin = performance.now();
    this.signal('SIGTERM');
    const code = await Promise.race([this.#child.ended, sleep(30_000, null, { ref: false })]);
    return { code, seconds: secondsSince(begin) };
  }

  /** Restarts it if it has ended unexpectedly. */
  async revive() {
    if (this.hasEnded) await this.restart();
  }

  /**
   * The seconds until it reports that it is ready. `Infinity` if it ends, or if it takes more than half a
   * minute on an idle machine.
   */
  async readyAgain() {
    const begin = performance.now();
    while (secondsSince(begin) < 90 && !this.hasEnded) {
      if (await this.#isAnswering('/health/ready')) return secondsSince(begin);
      await sleep(20);
    }
    return Infinity;
  }
}
