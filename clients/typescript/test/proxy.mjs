import { createServer, request } from 'node:http';
import { once } from 'node:events';

/**
 * A proxy in front of the service that goes wrong on demand. A request with `X-Fault: <id> <fault> <n>` has the fault
 * if it is one of the first n with this id:
 * `lose`: the service answers, and the connection breaks before the client has it;
 * `hang`: there is no answer;
 * `busy`: 503 in the words of a balancer; `overloaded`: 503 in the words of the API.
 */
export async function startProxy(origin) {
  const seen = new Map();
  const server = createServer((incoming, outgoing) => {
    const fault = faultOf(incoming.headers['x-fault'], seen);
    if (fault === 'hang') return;
    if (fault === 'busy' || fault === 'overloaded') {
      refuse(incoming, outgoing, fault);
      return;
    }
    const { hostname, port } = new URL(origin);
    const { method, url: path, headers } = incoming;
    const forwarded = request({ hostname, port, method, path, headers }, (answer) => {
      if (fault === 'lose') {
        // Breaks in the body: where there is no answer at all, browsers send the request again by themselves.
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

function refuse(incoming, outgoing, fault) {
  incoming.resume();
  const { origin } = incoming.headers;
  const body =
    fault === 'busy'
      ? '<html><body>503 Service Unavailable</body></html>'
      : JSON.stringify({
          error: { code: 'OVERLOADED', message: 'Too many requests are at work.', status: 503 },
        });
  outgoing.writeHead(503, {
    'content-type': fault === 'busy' ? 'text/html' : 'application/json',
    'retry-after': '0',
    ...(origin && {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'Retry-After',
    }),
  });
  outgoing.end(body);
}
