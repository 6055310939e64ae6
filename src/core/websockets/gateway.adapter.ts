import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';

import { ArgumentsHost, Catch, INestApplicationContext, Logger } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { FastifyInstance, FastifyRequest } from 'fastify';
import { ServerOptions, WebSocket, WebSocketServer } from 'ws';

import '../access/access.hook.js';
import { CROSS_ORIGIN_REJECTED } from '../access/access.errors.js';
import '../access/principal.js';
import { Principal } from '../access/principal.js';
import { ApiError } from '../http/errors/api-error.js';
import { UPGRADE_REQUIRED } from '../http/errors/http.errors.js';
import { RoutePolicy } from '../http/route-policy.js';
import '../routes/event-stream.js';
import { BaseWsExceptionFilter, WsException } from '@nestjs/websockets';
import { ErrorTranslator, toApiError } from '../http/errors/foreign-errors.js';

/** Longest message that a client may send, unless the gateway says otherwise. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** The most that may wait for a client to read it. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** How often clients are pinged, and their credentials verified again. */
const CHECK_MS = 30_000;

/** Close codes of RFC 6455 §7.4.1. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;

export interface GatewayClient extends WebSocket {
  /** Who connected: `@Caller()` gives it to handlers of messages. */
  principal: Principal | null;
}

export interface GatewayParts {
  readonly server: FastifyInstance;
  /** Those of the gateways, by their paths. */
  readonly policies: ReadonlyMap<string, RoutePolicy>;
  /** Origins beside the service's own whose pages may connect. */
  readonly origins: readonly string[];
  /** @throws ApiError where the credentials of a request are no longer good */
  readonly authenticate: (request: FastifyRequest) => Principal | Promise<Principal>;
}

/**
 * NestJS's adapter for WebSockets by `ws`. The path of a gateway is a route as any other: limits, versions,
 * authentication and access are decided by the hooks of requests, before the connection is upgraded.
 */
export class GatewayAdapter extends WsAdapter {
  private readonly log = new Logger('WebSocket');

  constructor(
    app: INestApplicationContext,
    private readonly parts: GatewayParts,
  ) {
    super(app);
    registerUpgrades(parts.server.server);
  }

  override create(_port: number, options: ServerOptions & { path?: string } = {}): WebSocketServer {
    const { path = '', ...others } = options;
    const sockets = new WebSocketServer({ maxPayload: MAX_MESSAGE_BYTES, ...others, noServer: true });
    sockets.on('error', (error) => {
      this.log.error(error);
    });
    this.parts.server.streams.closing.addEventListener('abort', () => {
      for (const client of sockets.clients) client.close(GOING_AWAY, 'The server is restarting.');
    });
    this.route(path, sockets);
    return sockets;
  }

  private route(path: string, sockets: WebSocketServer): void {
    const { server, policies, origins } = this.parts;
    server.get(path, {
      config: { policy: { ...policies.get(path) } },
      onRequest: (request, _reply, done) => {
        done(mayConnect(request, origins) ? undefined : new ApiError(CROSS_ORIGIN_REJECTED));
      },
      handler: (request, reply) => {
        const upgrade = upgrades.get(request.raw);
        if (!upgrade)
          throw new ApiError(UPGRADE_REQUIRED, UPGRADE_REQUIRED.summary, {
            headers: { upgrade: 'websocket', connection: 'Upgrade' },
          });
        reply.hijack();
        handOver(upgrade, server.streams.outlast);
        sockets.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (client) => {
          this.connect(client, request, sockets);
        });
      },
    });
  }

  private connect(client: WebSocket, request: FastifyRequest, sockets: WebSocketServer): void {
    client.on('error', (error) => {
      this.log.warn(error.message);
    });
    (client as GatewayClient).principal = request.principal;
    this.watch(client, request);
    sockets.emit('connection', client, request.raw);
  }

  /** Cuts a client that is gone or does not read, and closes the connection when its credentials end. */
  private watch(client: WebSocket, request: FastifyRequest): void {
    let isAlive = true;
    client.on('pong', () => {
      isAlive = true;
    });
    const timer = setInterval(() => {
      if (!isAlive || client.bufferedAmount > MAX_UNREAD_BYTES) {
        client.terminate();
        return;
      }
      isAlive = false;
      client.ping();
      void this.closeUnlessGood(client, request);
    }, CHECK_MS);
    client.once('close', () => {
      clearInterval(timer);
    });
  }

  private async closeUnlessGood(client: WebSocket, request: FastifyRequest): Promise<void> {
    try {
      if (request.principal) await this.parts.authenticate(request);
    } catch (error) {
      // What fails otherwise, as the database, says nothing of them.
      const haveEnded = error instanceof ApiError && error.status === 401;
      if (haveEnded) client.close(POLICY_VIOLATION, 'The credentials have ended.');
    }
  }
}

/**
 * Whether a page may connect: browsers send cookies with every upgrade, and ask nobody (RFC 6455 §10.2). Programs name
 * no origin, and no cookie.
 */
function mayConnect(request: FastifyRequest, origins: readonly string[]): boolean {
  const { origin, cookie } = request.headers;
  if (origin === undefined) return cookie === undefined;
  return origin === `${request.protocol}://${request.host}` || origins.includes(origin);
}

/**
 * Answers messages that fail with `{ "event": "exception", "data": { "code", "message", "status", "details" } }`, as a
 * request would be answered. NestJS's own filter tells nothing of a bug, and logs it.
 */
@Catch()
export class MessageErrorFilter extends BaseWsExceptionFilter {
  constructor(private readonly translators: readonly ErrorTranslator[]) {
    super({ includeCause: false });
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    const isOwn = error instanceof WsException;
    const apiError = isOwn ? undefined : toApiError(error, this.translators);
    const isTold = apiError !== undefined && apiError.status < 500;
    super.catch(isTold ? new WsException(apiError.toBody().error) : error, host);
  }
}

/** A connection that asks to become a WebSocket, while its request passes the server as any other. */
interface Upgrade {
  readonly socket: Duplex;
  /** The first bytes of the new protocol, where some have come. */
  readonly head: Buffer;
  readonly response: ServerResponse;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/**
 * Lets requests for an upgrade pass the server as any other request: limits, authentication and access are decided, and
 * refusals answered and logged, before anything is upgraded.
 */
function registerUpgrades(server: Server): void {
  // Of Node.js 24: other protocols are not spoken, and their requests answered as if they had not asked.
  Object.assign(server, { shouldUpgradeCallback: isWebSocket });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {
      socket.destroy();
    });
    const response = new ServerResponse(request);
    // The parser is gone from the connection: it takes no further request.
    response.shouldKeepAlive = false;
    // A socket by what it does; the types of `upgrade` promise a `Duplex`.
    response.assignSocket(socket as never);
    response.once('finish', () => {
      if (response.socket) socket.end();
    });
    if (isWebSocket(request)) upgrades.set(request, { socket, head, response });
    server.emit('request', request, response);
  });
}

/** Takes the connection from its response, which is over: the new protocol answers. */
function handOver({ socket, response }: Upgrade, outlast: (response: ServerResponse) => void): void {
  outlast(response);
  // As above, a socket by what it does.
  response.detachSocket(socket as never);
  // For the log, to which it is a response that was sent: it has no socket any more.
  response.writeHead(101);
  response.emit('close');
}
