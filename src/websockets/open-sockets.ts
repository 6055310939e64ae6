import { WebSocket } from 'ws';

/** How often clients are looked at. */
const LOOK_MS = 5_000;
/** Looks between two pings; one that has not answered by the next is cut. */
const LOOKS_PER_PING = 6;
/** Looks between two checks of credentials. */
const LOOKS_PER_CHECK = 12;
/** The most that may wait for a client to read it. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/** Close codes of RFC 6455 §7.4.1. */
export const GOING_AWAY = 1001;
export const POLICY_VIOLATION = 1008;

interface Look {
  looks: number;
  isAlive: boolean;
}

/**
 * Looks after open WebSockets: clients that are gone or do not read are cut, those whose credentials have ended are
 * told so, and all are closed when the server stops.
 */
export class OpenSockets {
  private readonly open = new Map<WebSocket, Look & { readonly check: () => Promise<boolean> }>();
  private timer: NodeJS.Timeout | undefined;

  /** @param closing aborted when all are to be closed */
  constructor(closing: AbortSignal) {
    closing.addEventListener('abort', () => {
      for (const client of this.open.keys()) client.close(GOING_AWAY, 'The server is restarting.');
    });
  }

  /** @param check whether the credentials that the client came with are good still */
  add(client: WebSocket, check: () => Promise<boolean>): void {
    const state = { looks: 0, isAlive: true, check };
    this.open.set(client, state);
    client.on('pong', () => {
      state.isAlive = true;
    });
    client.once('close', () => {
      this.open.delete(client);
      if (this.open.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    });
    this.timer ??= setInterval(() => {
      this.look();
    }, LOOK_MS);
  }

  /** Looks at every client once. */
  look(): void {
    for (const [client, state] of this.open) {
      state.looks++;
      if (client.bufferedAmount > MAX_UNREAD_BYTES) client.terminate();
      else if (state.looks % LOOKS_PER_PING === 0) ping(client, state);
      if (state.looks % LOOKS_PER_CHECK === 0) void closeUnless(state.check(), client);
    }
  }
}

function ping(client: WebSocket, state: Look): void {
  if (!state.isAlive) {
    client.terminate();
    return;
  }
  state.isAlive = false;
  client.ping();
}

async function closeUnless(isGood: Promise<boolean>, client: WebSocket): Promise<void> {
  if (!(await isGood)) client.close(POLICY_VIOLATION, 'The credentials have ended.');
}
