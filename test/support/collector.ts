import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';

/** A span in the JSON form of OTLP, with its attributes as an object. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 2 for a server, 3 for a client. */
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The attributes of the process that sent it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
type SentSpan = Omit<CollectedSpan, 'attributes' | 'resource'> & { readonly attributes: Attribute[] };
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attribute[] };
    readonly scopeSpans: readonly { readonly spans: SentSpan[] }[];
  }[];
}

/** Receives OTLP over HTTP, like a collector. */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  /** The requests as they were received: path, type and body. */
  readonly received: { readonly url: string; readonly type: string; readonly body: Buffer }[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        collector.take(request.url ?? '', request.headers['content-type'] ?? '', Buffer.concat(chunks));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private take(url: string, type: string, body: Buffer): void {
    this.received.push({ url, type, body });
    if (type !== 'application/json') return;
    for (const { resource, scopeSpans } of (JSON.parse(body.toString()) as Sent).resourceSpans) {
      const described = asObject(resource.attributes);
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        this.spans.push({ ...span, attributes: asObject(span.attributes), resource: described });
    }
  }
}

const asObject = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
