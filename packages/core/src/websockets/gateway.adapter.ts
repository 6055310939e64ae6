import { EventEmitter } from 'node:events';
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';

import { ArgumentsHost, Catch } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { BaseWsExceptionFilter, WsException } from '@nestjs/websockets';
import { FastifyInstance } from 'fastify';
import { ServerOptions, WebSocket, WebSocketServer } from 'ws';

import { Principal } from '../access/principal.js';
import { RequestContext } from '../access/request-context.js';
import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { RoutePolicy } from '../routes/route-policy.js';

/** The largest message that a client may send, unless the gateway sets `maxPayload`. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/** A client of a WebSocket gateway. */
export interface GatewayClient extends WebSocket {
  /** The caller who connected. `@CurrentPrincipal()` passes it to handlers of messages. */
  principal: Principal | null;
}

/** NestJS's `ws` adapter. The path of a gateway is a route, so the hooks of the pipeline run before the upgrade. */
export class GatewayAdapter extends WsAdapter {
  constructor(private readonly server: FastifyInstance) {
    super(new EventEmitter());
    registerUpgrades(server.server);
  }

  /** Serves the path of a gateway. Call it before the application is initialized. */
  route(path: string, policy: RoutePolicy): void {
    this.server.get(path, { config: { policy: { ...policy, isStream: true } } }, (request, reply) => {
      const upgrade = upgrades.get(request.raw);
      if (!upgrade)
        throw new ApiError(HttpErrors.UPGRADE_REQUIRED, HttpErrors.UPGRADE_REQUIRED.summary, {
          headers: { upgrade: 'websocket', connection: 'Upgrade' },
        });
      upgrade.context = request.context;
      reply.hijack();
      const { socket, response } = upgrade;
      // From here on the new protocol owns the connection, not the response.
      response.detachSocket(socket as never);
      // Without a socket the response never ends by itself. The log needs its end, with status 101.
      response.writeHead(101);
      response.emit('close');
      (this.httpServer as EventEmitter).emit('upgrade', request.raw, socket, upgrade.head);
    });
  }

  override create(port: number, options: ServerOptions & { path?: string }): WebSocketServer {
    return super.create(port, { maxPayload: MAX_MESSAGE_BYTES, ...options }) as WebSocketServer;
  }

  override bindClientConnect(sockets: WebSocketServer, connected: (...args: unknown[]) => void): void {
    sockets.on('connection', (client: GatewayClient, request: IncomingMessage) => {
      const { context = new RequestContext() } = upgrades.get(request) ?? {};
      // `@CurrentPrincipal()` reads the context, because in a handler of messages the client takes the place of the request.
      Object.assign(client, { context, principal: context.principal });
      connected(client, request);
    });
  }
}

/** Sends the envelope of an `ApiError` as an `exception` event. NestJS would send `Internal server error`. */
@Catch(ApiError)
export class MessageErrorFilter extends BaseWsExceptionFilter {
  override catch(error: ApiError, host: ArgumentsHost): void {
    super.catch(new WsException(error.toBody().error), host);
  }
}

/** A connection that asks to become a WebSocket. */
interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly response: ServerResponse;
  /** Set when the request has passed the hooks. */
  context?: RequestContext;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/** Passes a request for an upgrade through the server like any other, so that rejections get a response and a log line. */
function registerUpgrades(server: Server): void {
  // Since Node.js 24: requests for other protocols are served as if they had not asked for an upgrade.
  Object.assign(server, { shouldUpgradeCallback: isWebSocket });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {
      socket.destroy();
    });
    const response = new ServerResponse(request);
    // The connection has no HTTP parser any more, so it can serve no further request.
    response.shouldKeepAlive = false;
    // It is a socket, although its declared type is `Duplex`.
    response.assignSocket(socket as never);
    response.once('finish', () => {
      if (response.socket) socket.end();
    });
    if (isWebSocket(request)) upgrades.set(request, { socket, head, response });
    server.emit('request', request, response);
  });
}
