import { IncomingMessage } from 'node:http';

import { FastifyInstance, FastifyRequest } from 'fastify';

import { ApiError } from './errors/api-error.js';
import { OVERLOADED } from './errors/http.errors.js';
import { isBodyComing, readsBody } from './safe-methods.js';
import { LIMITS } from './server/server-options.js';

/** Bodies up to this size cost too little to be worth a turn. */
const LARGE_BYTES = 64 * 1024;
/** Large bodies that one caller may send at once, in bytes; further ones wait for these. */
const CALLER_BYTES = 8 * LIMITS.bodyBytes;
/** And all callers together; further ones are refused. */
const TOTAL_BYTES = 8 * CALLER_BYTES;
/** How long a body waits to be read: its request has to arrive within `requestTimeoutMs`. */
const MAX_WAIT_MS = 4_000;

const BODY = Symbol('large body');

/** A large body: waiting to be read, being read or waiting to be parsed, or done with. */
interface Body {
  readonly key: string;
  readonly bytes: number;
  readonly begin: (error?: Error) => void;
  state: 'waiting' | 'read' | 'read whole' | 'done';
}

type RawRequest = IncomingMessage & { [BODY]?: Body };

interface Caller {
  /** Bytes that are being read or wait to be parsed. */
  bytes: number;
  /** In the order in which the requests came. */
  readonly waiting: Body[];
}

const busy = new ApiError(
  OVERLOADED,
  'Too many large bodies are on their way; Retry-After says when to try again.',
  { headers: { 'retry-after': '1' } },
);

/**
 * Keeps large bodies from holding up everybody else: of those of one caller only some are taken at once, so that memory
 * is bounded, and they are parsed one in each turn of the event loop, callers in rotation.
 */
export class BodyTurns {
  private readonly callers = new Map<string, Caller>();
  private readonly toParse = new Map<string, (() => void)[]>();
  private totalBytes = 0;
  private isParsing = false;

  /**
   * @param callerOf whom a request is counted for
   * @param onRefusal called for each request whose body finds no room
   */
  constructor(
    private readonly callerOf: (request: FastifyRequest) => string,
    private readonly onRefusal: () => void = () => undefined,
  ) {}

  /** Lets large bodies wait before they are read. */
  register(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      if (!readsBody(route)) return;
      route.preParsing = [
        (request, _reply, payload, done) => {
          const bytes = announcedBytes(request);
          if (bytes <= LARGE_BYTES) done(null, payload);
          else this.admit(request, bytes, (error) => (error ? done(error) : done(null, payload)));
        },
        ...[route.preParsing ?? []].flat(),
      ];
    });
  }

  /** Runs the parser of a body that was read: at once, or where the body is large when its turn comes. */
  readonly inTurn = (request: FastifyRequest, parse: () => void): void => {
    const body = (request.raw as RawRequest)[BODY];
    if (!body) {
      parse();
      return;
    }
    body.state = 'read whole';
    const parseAndLetGo = (): void => {
      parse();
      this.release(body);
    };
    const own = this.toParse.get(body.key);
    if (own) own.push(parseAndLetGo);
    else this.toParse.set(body.key, [parseAndLetGo]);
    if (!this.isParsing) this.parseNext();
  };

  private parseNext(): void {
    const [next] = this.toParse;
    this.isParsing = next !== undefined;
    if (!next) return;
    setImmediate(() => {
      const [key, own] = next;
      const parse = own.shift();
      // To the end of the rotation, where the caller has more.
      this.toParse.delete(key);
      if (own.length > 0) this.toParse.set(key, own);
      parse?.();
      this.parseNext();
    });
  }

  private admit(request: FastifyRequest, bytes: number, begin: (error?: Error) => void): void {
    if (this.totalBytes + bytes > TOTAL_BYTES) {
      this.onRefusal();
      begin(busy);
      return;
    }
    const raw: RawRequest = request.raw;
    const timer = setTimeout(() => {
      this.release(body);
      this.onRefusal();
      begin(busy);
    }, MAX_WAIT_MS).unref();
    const body: Body = {
      key: this.callerOf(request),
      bytes,
      state: 'waiting',
      begin: () => {
        clearTimeout(timer);
        body.state = 'read';
        begin();
      },
    };
    raw[BODY] = body;
    raw.once('close', () => {
      clearTimeout(timer);
      if (body.state !== 'read whole') this.release(body);
    });
    const caller = this.callers.get(body.key) ?? { bytes: 0, waiting: [] };
    this.callers.set(body.key, caller);
    caller.waiting.push(body);
    this.beginNext(caller);
  }

  private beginNext(caller: Caller): void {
    for (let next = caller.waiting[0]; next; next = caller.waiting[0]) {
      if (caller.bytes > 0 && caller.bytes + next.bytes > CALLER_BYTES) return;
      caller.waiting.shift();
      caller.bytes += next.bytes;
      this.totalBytes += next.bytes;
      next.begin();
    }
  }

  private release(body: Body): void {
    const caller = this.callers.get(body.key);
    if (!caller || body.state === 'done') return;
    if (body.state === 'waiting') caller.waiting.splice(caller.waiting.indexOf(body), 1);
    else {
      caller.bytes -= body.bytes;
      this.totalBytes -= body.bytes;
    }
    body.state = 'done';
    this.beginNext(caller);
    if (caller.bytes === 0 && caller.waiting.length === 0) this.callers.delete(body.key);
  }
}

/** How large a body may become: what its length says, or what its route takes. */
function announcedBytes({ headers, raw, routeOptions }: FastifyRequest): number {
  const length = headers['content-length'];
  if (length !== undefined) return Math.min(Number(length), routeOptions.bodyLimit);
  return isBodyComing(raw) ? routeOptions.bodyLimit : 0;
}
