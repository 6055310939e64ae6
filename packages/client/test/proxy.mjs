import { createServer, request } from 'node:http';
import { once } from 'node:events';

/**
 * Starts a proxy in front of the service that fails on demand. Of the requests with `X-Fault: <id> <fault> <n>`, the
 * first n with this id fail in this way:
 * `lose`: the service answers, and the connection breaks before the client has the response;
 * `hang`: there is no response;
 * `busy`, `gateway`: 503 and 502 as from a load balancer; `overloaded`: 503 as from the API;
 * `expired`: 401, as for an expired access token;
 * `page`: 200 with a page, as from a network that requires a login first;
 * `moved`: a redirect to another origin.
 */
export async function startProxy(origin) {
  const seen = new Map();
  // Longer than the `Keep-Alive: timeout=72` of the service, which the proxy passes on. With the default of 5 seconds, a
  // client that believes this header sends its next request on a connection that the proxy is about to close.
  const server = createServer({ keepAliveTimeout: 120_000 }, (incoming, outgoing) => {
    const fault = faultOf(incoming.headers['x-fault'], seen);
    if (fault === 'hang') return;
    if (fault in INSTEAD) {
      answerInstead(incoming, outgoing, INSTEAD[fault]);
      return;
    }
    const { hostname, port } = new URL(origin);
    const { method, url: path, headers } = incoming;
    const forwarded = request({ hostname, port, method, path, headers }, (answer) => {
      if (fault === 'lose') {
        // Breaks off in the body, because browsers repeat a request without any response by themselves.
        answer.resume().on('end', () => {
          outgoing.writeHead(answer.statusCode, answer.rawHeaders);
          outgoing.write(' ', () => outgoing.destroy());
        });
        return;
      }
      outgoing.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function faultOf(header, seen) {
  if (header === undefined) return undefined;
  const [id, fault, times] = header.split(' ');
  const count = (seen.get(id) ?? 0) + 1;
  seen.set(id, count);
  return count <= Number(times) ? fault : undefined;
}

const PAGE = { type: 'text/html', body: '<html><body>This is not the API.</body></html>' };
const OVERLOADED = { code: 'OVERLOADED', message: 'Too many requests are running.', status: 503 };

const EXPIRED = { code: 'TOKEN_EXPIRED', message: 'The access token has expired.', status: 401 };

/** The responses that the proxy sends instead of the service. */
const INSTEAD = {
  busy: { status: 503, ...PAGE },
  gateway: { status: 502, ...PAGE },
  overloaded: { status: 503, type: 'application/json', body: JSON.stringify({ error: OVERLOADED }) },
  expired: { status: 401, type: 'application/json', body: JSON.stringify({ error: EXPIRED }) },
  page: { status: 200, ...PAGE },
  moved: { status: 307, ...PAGE, location: 'http://127.0.0.1:1/' },
};

function answerInstead(incoming, outgoing, { status, type, body, location }) {
  incoming.resume();
  const { origin } = incoming.headers;
  outgoing.writeHead(status, {
    'content-type': type,
    'retry-after': '0',
    ...(location && { location }),
    ...(origin && {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'Retry-After',
    }),
  });
  outgoing.end(body);
}
