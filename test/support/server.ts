import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The built service in a process of its own, as production runs it. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly baseUrl: string,
  ) {}

  /** Starts it on a database, and waits until it listens. */
  static async start(
    databaseUrl: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<ServerProcess> {
    const child = spawn(process.execPath, ['dist/src/main.js'], {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        DATABASE_URL: databaseUrl,
        PORT: '0',
        LOG_LEVEL: 'error',
        ...settings,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    const baseUrl = await new Promise<string>((resolve, reject) => {
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const url = /serves (http:\S+)\/api\/v1/.exec(said)?.[1];
        if (url) resolve(url);
      });
      child.on('exit', () => {
        reject(new Error(`the service did not start: ${said}`));
      });
    });
    return new ServerProcess(child, baseUrl);
  }

  /** Whether it runs still. */
  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    if (!this.isAlive) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}
