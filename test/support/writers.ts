import { randomUUID } from 'node:crypto';

/** What became of a write: the status that was answered, or `null` where there was no answer. */
export interface Write {
  readonly name: string;
  readonly status: number | null;
}

interface Service {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Clients that create products one after the other, each with its own name: half of them with an Idempotency-Key. */
export class Writers {
  readonly writes: Write[] = [];
  private isRunning = true;
  private readonly loops: Promise<void>[];

  constructor(
    private readonly service: Service,
    count: number,
  ) {
    this.loops = Array.from({ length: count }, (_, i) => this.loop(i % 2 === 0));
  }

  /** Ends them, each after the write that it is at. */
  async stop(): Promise<readonly Write[]> {
    this.isRunning = false;
    await Promise.all(this.loops);
    return this.writes;
  }

  private async loop(hasKey: boolean): Promise<void> {
    while (this.isRunning) this.writes.push(await createProduct(this.service, randomUUID(), hasKey));
  }
}

/** The names that were answered with 201. */
export const acknowledged = (writes: readonly Write[]): string[] =>
  writes.filter(({ status }) => status === 201).map(({ name }) => name);

/** The statuses that were answered, each once, in order; `0` where there was no answer. */
export const statusesOf = (writes: readonly Write[]): number[] =>
  [...new Set(writes.map(({ status }) => status ?? 0))].sort((a, b) => a - b);

/** Creates a product of a name. */
export async function createProduct(
  { baseUrl, headers }: Service,
  name: string,
  hasKey = false,
): Promise<Write> {
  const status = await fetch(`${baseUrl}/api/v1/products`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...(hasKey && { 'idempotency-key': name }) },
    body: JSON.stringify({ name, price: 1, category: 'faults' }),
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => null,
  );
  return { name, status };
}
