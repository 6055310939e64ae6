import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { freePort } from '../../../scripts/lib/free-port.mjs';
import { MAIN } from '../../../scripts/lib/build.mjs';
import { temporaryFolder } from './cleanup.mjs';
import { Dropped, send } from './http.mjs';
import { destroy, hasEnded, signal, start } from './processes.mjs';
import { secondsSince, sleep, until } from './waiting.mjs';

/**
 * As in production, behind a balancer on this machine. Limits on the number of requests are off unless an experiment
 * is about them: the load all comes from one address.
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

/** One process of the built service. It keeps its port and its settings when it is started again. */
export class Service {
  #child;
  #mayEnd = true;
  /** The last of what it wrote, logs and messages. */
  output = '';
  /** Whatever ended it without being asked to, each time. */
  deaths = [];
  /** What it logged of faults of its own, and of having too much to do. */
  errors = [];

  /**
   * @param settings environment variables, over those of every experiment
   */
  constructor(settings) {
    this.settings = { ...SETTINGS, ...settings };
  }

  /** A process that serves. @param scope at whose end it is ended */
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
    // Away from any .env.
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

  /** The last lines that it wrote, for a reader who wants to know why. */
  lastWords() {
    const lines = this.output.trim().split('\n');
    const fatal = lines.findLast((line) => line.includes('"level":60')) ?? lines.at(-1) ?? '';
    return fatal.length > 400 ? `${fatal.slice(0, 400)}…` : fatal;
  }

  signal(name) {
    signal(this.#child.pid, name);
  }

  /** As the machine's end, or the kernel that is out of memory, would. */
  async kill() {
    this.#mayEnd = true;
    if (this.#child) await destroy(this.#child);
  }

  /** In order. @returns the exit code or signal, and how long it took; `null`: it has not ended in time */
  async stop() {
    this.#mayEnd = true;
    const begin = performance.now();
    this.signal('SIGTERM');
    const code = await Promise.race([this.#child.ended, sleep(30_000, null, { ref: false })]);
    return { code, seconds: secondsSince(begin) };
  }

  /** Starts it again where it ended without being asked to. */
  async revive() {
    if (this.hasEnded) await this.restart();
  }

  /**
   * Seconds from now until it says that it is ready; `Infinity` where it ends, or takes more than half a minute of an
   * idle machine.
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
