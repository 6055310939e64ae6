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

/** The maximum size of a message from a client. A gateway may set another limit as `maxPayload`. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/**
 * A client of a WebSocket gateway, with the caller who connected. Message handlers and `handleConnection()` get it.
 *
 * In a message handler that needs only the caller, use `@CurrentPrincipal()` instead.
 * @example handleConnection(client: GatewayClient): void { this.join(client, client.principal); }
 */
export interface GatewayClient extends WebSocket {
  /** The caller who connected, or `null` on a public gateway. */
  principal: Principal | null;
}

/**
 * Extends the `ws` adapter of NestJS, which upgrades connections without authentication. Here the path of a gateway is
 * a route of Fastify, so all hooks of HTTP requests run before the upgrade.
 */
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
      // From here on, the WebSocket owns the connection. The HTTP response must not write to it.
      response.detachSocket(socket as never);
      // A response without a socket never ends by itself. End it here with status 101, so that the request is logged.
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
      // For a message handler, NestJS passes the client to parameter decorators in place of the request.
      // `@CurrentPrincipal()` reads `client.context`.
      Object.assign(client, { context, principal: context.principal });
      connected(client, request);
    });
  }
}

/**
 * Sends an `ApiError` to the client as an `exception` event. Without this filter, NestJS would send `Internal server
 * error`.
 */
@Catch(ApiError)
export class MessageErrorFilter extends BaseWsExceptionFilter {
  override catch(error: ApiError, host: ArgumentsHost): void {
    super.catch(new WsException(error.toBody().error), host);
  }
}

/** A connection whose request asks for an upgrade to a WebSocket. */
interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly response: ServerResponse;
  /** Set after the hooks have accepted the request. */
  context?: RequestContext;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/**
 * Handles a request for an upgrade like any other request, so that a rejected request gets a response and is logged.
 */
function registerUpgrades(server: Server): void {
  // Since Node.js 24, this option makes the server ignore the `Upgrade` header of requests for other protocols.
  Object.assign(server, { shouldUpgradeCallback: isWebSocket });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {
      socket.destroy();
    });
    const response = new ServerResponse(request);
    // The connection no longer has an HTTP parser, so it cannot serve another request.
    response.shouldKeepAlive = false;
    // At run time, the value is a `Socket`, although its declared type is `Duplex`.
    response.assignSocket(socket as never);
    response.once('finish', () => {
      if (response.socket) socket.end();
    });
    if (isWebSocket(request)) upgrades.set(request, { socket, head, response });
    server.emit('request', request, response);
  });
}
