import { isIP } from 'node:net';

import { FastifyInstance } from 'fastify';

import { Config } from '../../config/config.js';

/** An address with a port, as some proxies write it: `192.0.2.1:4711`, `[2001:db8::1]:4711`; brackets alone too. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/;

function withoutPort(entry: string): string {
  const [, v4, v6] = WITH_PORT.exec(entry) ?? [];
  return v4 ?? v6 ?? entry;
}

/** Without the zone of an IPv6 address, which names an interface of whoever wrote it, in any length. */
const withoutZone = (address: string): string => address.split('%', 1)[0] as string;

/**
 * The addresses of an `X-Forwarded-For` header, without ports and zones. Each proxy adds its entry at the end, so an
 * entry that is no address ends the list: neither it nor what stands before it is believed.
 *
 * @example forwardedAddresses('nonsense, 192.0.2.1:4711, 10.0.0.1') // '192.0.2.1, 10.0.0.1'
 */
export function forwardedAddresses(header: string): string {
  const addresses = header
    .split(',')
    .map((entry) => withoutZone(withoutPort(entry.trim())))
    .filter((entry) => entry !== '');
  const lastWrong = addresses.findLastIndex((address) => isIP(address) === 0);
  return addresses.slice(lastWrong + 1).join(', ');
}

/** Lets `request.ip` be an address, whatever `X-Forwarded-For` says, where proxies are believed. */
export function registerForwardedFor(server: FastifyInstance, { trustProxy }: Config): void {
  if (trustProxy === false) return;
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const header = headers['x-forwarded-for'];
    // Of a header that is sent more than once `node:http` makes one, with commas.
    if (typeof header === 'string') headers['x-forwarded-for'] = forwardedAddresses(header);
    done();
  });
}
