import { EventEmitter } from 'node:events';
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';

import { ArgumentsHost, Catch } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { BaseWsExceptionFilter, WsException } from '@nestjs/websockets';
import { FastifyInstance } from 'fastify';
import { ServerOptions, WebSocket, WebSocketServer } from 'ws';

import { Principal } from '../access/principal.js';
import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { RoutePolicy } from '../http/route-policy.js';

/** Longest message that a client may send, unless the gateway says otherwise. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/** A client of a WebSocket gateway; `principal` is `null` on a public one, without credentials. */
export interface GatewayClient extends WebSocket {
  /** Who connected: `@CurrentPrincipal()` gives it to handlers of messages. */
  principal: Principal | null;
}

/** NestJS's adapter by `ws`. The path of a gateway is a route: the hooks of requests decide before the upgrade. */
export class GatewayAdapter extends WsAdapter {
  constructor(private readonly server: FastifyInstance) {
    super(new EventEmitter());
    registerUpgrades(server.server);
  }

  /** Serves the path of a gateway. To be called before the application is initialized. */
  route(path: string, policy: RoutePolicy): void {
    this.server.get(path, { config: { policy: { ...policy, isStream: true } } }, (request, reply) => {
      const upgrade = upgrades.get(request.raw);
      if (!upgrade)
        throw new ApiError(HttpErrors.UPGRADE_REQUIRED, HttpErrors.UPGRADE_REQUIRED.summary, {
          headers: { upgrade: 'websocket', connection: 'Upgrade' },
        });
      upgrade.principal = request.principal;
      reply.hijack();
      const { socket, response } = upgrade;
      // The connection is no longer that of its response: the new protocol answers.
      response.detachSocket(socket as never);
      // For the log, to which it is a response that was sent: it has no socket any more.
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
      client.principal = upgrades.get(request)?.principal ?? null;
      connected(client, request);
    });
  }
}

/** Sends the envelope of an error as the data of `exception`. NestJS would call it an `Internal server error`. */
@Catch(ApiError)
export class MessageErrorFilter extends BaseWsExceptionFilter {
  override catch(error: ApiError, host: ArgumentsHost): void {
    super.catch(new WsException(error.toBody().error), host);
  }
}

/** A connection that asks to become a WebSocket, while its request passes the server as any other. */
interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly response: ServerResponse;
  principal: Principal | null;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/** Passes requests for an upgrade to the server as any other request: it answers and logs refusals. */
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
    if (isWebSocket(request)) upgrades.set(request, { socket, head, response, principal: null });
    server.emit('request', request, response);
  });
}
