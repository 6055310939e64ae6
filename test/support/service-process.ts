import { ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Settings } from './app.js';

/**
 * All processes of this test file. Those that it does not stop are stopped, and their folders are removed.
 */
const started: ServiceProcess[] = [];
afterAll(async () => {
  for (const service of started) service.kill('SIGKILL');
  await Promise.all(started.map(({ exited }) => exited));
  for (const { directory } of started.splice(0)) rmSync(directory, { recursive: true, force: true });
});

interface ProcessOptions {
  /** The compiled file to run. */
  readonly program?: string;
  /** A program and its arguments, which run the file. */
  readonly command?: readonly string[];
  readonly nodeOptions?: readonly string[];
  /** Whether its standard output is read. */
  readonly isLogRead?: boolean;
}

/** The built service in a process of its own, as in production. */
export class ServiceProcess {
  /** Its messages for the operator. */
  output = '';
  /** Its log. */
  log = '';
  readonly host = '127.0.0.1';
  readonly exited: Promise<number | NodeJS.Signals | null>;
  /** Its working folder and `DATA_DIR`, which exist until the test file ends. */
  readonly directory = mkdtempSync(join(tmpdir(), 'service-process-'));
  private readonly process: ChildProcess;

  constructor(settings: Settings, options: ProcessOptions = {}) {
    const { program = 'dist/src/main.js', command = [], nodeOptions = [], isLogRead = true } = options;
    started.push(this);
    const { PATH, HOME, TMPDIR } = process.env;
    const { directory } = this;
    const args = [...command, process.execPath, ...nodeOptions, join(process.cwd(), program)];
    this.process = spawn(args.shift() ?? '', args, {
      // A folder without a .env file.
      cwd: directory,
      // The service starts faster without documents.
      env: {
        PATH,
        HOME,
        TMPDIR,
        NODE_ENV: 'test',
        PORT: '0',
        DATA_DIR: directory,
        DOCS: 'false',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stderr?.on('data', (data) => (this.output += String(data)));
    if (isLogRead) this.process.stdout?.on('data', (data) => (this.log += String(data)));
    this.exited = new Promise((resolve) => {
      this.process.once(isLogRead ? 'close' : 'exit', (code, signal) => {
        resolve(code ?? signal);
      });
    });
  }

  /** Starts a process, and waits until it serves requests. */
  static async started(settings: Settings, options?: ProcessOptions): Promise<ServiceProcess> {
    const service = new ServiceProcess(settings, options);
    await service.serving();
    return service;
  }

  /** Waits until it reports that it serves. @throws Error if it ends instead */
  async serving(): Promise<void> {
    const gone = this.exited.then((code) => {
      throw new Error(`the service ended with ${String(code)}: ${this.output}${this.log}`);
    });
    const serves = async (): Promise<void> => {
      while (!/ serves http.*\n/.test(this.output)) await sleep(20);
    };
    await Promise.race([serves(), gone]);
  }

  get port(): number {
    return Number(/ serves https?:\/\/127\.0\.0\.1:(\d+)\/api\/v1/.exec(this.output)?.[1]);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }
}

/** Whether the service refuses new connections. */
export function isRefused({ host, port }: ServiceProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
