import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Clients that request a path, each sequentially. */
export class Load {
  answers = 0;
  readonly statuses = new Set<number>();
  private isOver = false;
  private clients: Promise<void>[] = [];

  constructor(
    private readonly port: number,
    private readonly path: string,
    private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 }),
  ) {}

  begin(clients: number): void {
    this.clients = Array.from({ length: clients }, () => this.run());
  }

  /** Waits until the given number of further requests has been answered. */
  async progress(count: number): Promise<void> {
    const goal = this.answers + count;
    while (this.answers < goal) await sleep(10);
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      this.statuses.add(await this.ask());
      this.answers++;
    }
  }

  /** The status of a complete response, or 0. */
  private ask(): Promise<number> {
    const { port, agent } = this;
    return new Promise((resolve) => {
      const sent = request({ host: '127.0.0.1', port, path: this.path, agent }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', () => resolve(0));
      });
      sent.on('error', () => resolve(0));
      sent.end();
    });
  }
}
