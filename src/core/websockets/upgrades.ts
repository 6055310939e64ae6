import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';

/** A connection that asks to become a WebSocket, while its request passes the server as any other. */
export interface Upgrade {
  readonly socket: Duplex;
  /** The first bytes of the new protocol, where some have come. */
  readonly head: Buffer;
  readonly response: ServerResponse;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The upgrade that a request asks for; `undefined`: none. */
export const upgradeOf = (request: IncomingMessage): Upgrade | undefined => upgrades.get(request);

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/**
 * Lets requests for an upgrade pass the server as any other request: limits, authentication and access are decided, and
 * refusals answered and logged, before anything is upgraded.
 */
export function registerUpgrades(server: Server): void {
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

/**
 * Takes the connection from its response, which is over: the new protocol answers.
 *
 * @param outlast takes it out of the count of requests at work
 */
export function handOver({ socket, response }: Upgrade, outlast: (response: ServerResponse) => void): void {
  outlast(response);
  // As above, a socket by what it does.
  response.detachSocket(socket as never);
  // For the log, to which it is a response that was sent: it has no socket any more.
  response.writeHead(101);
  response.emit('close');
}
