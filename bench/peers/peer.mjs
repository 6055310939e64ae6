/** What a peer is to the benchmark, and what all of them share. */
import { asker } from '../client.mjs';
import { startServer } from '../servers.mjs';

/** @typedef {import('../load.mjs').Request} Request */
/** @typedef {import('../servers.mjs').Server} Server */
/**
 * A product as every server's answers are compared.
 * @typedef {{ id: number, name: string, price: number, category: string | null, inStock: boolean, rating: number | null,
 *   createdAt: string, updatedAt: string }} Product
 */
/**
 * How a server is asked, and its answers are read.
 * @typedef {object} Dialect
 * @property {(question: { id: number }) => Request} get
 * @property {(question: { page: number }) => Request} page newest first
 * @property {(question: { category: string, page: number }) => Request} filtered those in stock, cheapest first
 * @property {(question: { name: string, price: number, category: string }) => Request} create
 * @property {number} created the status of what was created
 * @property {(body: any) => Record<string, any>} itemOf
 * @property {(body: any) => { rows: Record<string, any>[], total: number }} listOf
 */
/**
 * @typedef {object} Peer
 * @property {string} name its folder, and its name for `--only`
 * @property {string} title
 * @property {string[]} packages that it is known by
 * @property {string} documented what of it is as its documentation has it
 * @property {string} differs what is not, or cannot be compared
 * @property {number} [minimumNode] the oldest Node.js that it runs on
 * @property {(place: import('../servers.mjs').Place, client: import('pg').Client,
 *   installed: import('./install.mjs').Installed) => Promise<Server>} start
 * @property {(server: Server) => Promise<string>} logIn gives a token
 * @property {Dialect} dialect
 * @property {(client: import('pg').Client, lastProduct: number) => Promise<void>} [removeCreated] where it has its own table
 */

export const PAGE_SIZE = 20;
export const SECRET = 'a-secret-of-the-benchmark-with-more-than-32-bytes';

/** @param {Record<string, any>} row with names in camel or snake case @returns {Product} */
export const productOf = (row) => ({
  id: Number(row.id),
  name: row.name,
  price: Number(row.price),
  category: row.category,
  inStock: row.inStock ?? row.in_stock,
  rating: row.rating === null || row.rating === undefined ? null : Number(row.rating),
  createdAt: dateOf(row.createdAt ?? row.created_at),
  updatedAt: dateOf(row.updatedAt ?? row.updated_at),
});

const dateOf = (value) => new Date(value).toISOString();

/** @param {string} path @param {Record<string, string | number>} query */
export const withQuery = (path, query) => `${path}?${new URLSearchParams(Object.entries(query))}`;

/** @param {string} path @param {object} body @returns {Request} */
export const jsonRequest = (path, body) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * Starts a peer as it runs in production.
 * @param {import('../servers.mjs').Place} place
 * @param {Peer} peer
 * @param {import('./install.mjs').Installed} installed
 * @param {{ command: string[], settings: Record<string, string>, ready: string }} program `command` without Node.js,
 *   `ready` the path that answers once it is up
 */
export const startPeer = (place, { name }, { folder, node }, { command, settings, ready }) =>
  startServer(place, {
    name,
    command: [node, ...command],
    folder,
    settings: { NODE_ENV: 'production', ...settings },
    prefix: '',
    ready: { path: ready, is: ({ status }) => status < 500 },
  });

/**
 * Asks a server for something that the run needs before it measures.
 * @param {Server} server
 * @param {Request} request
 * @param {string} [token]
 * @returns {Promise<any>} the body
 * @throws {Error} where the answer is no success
 */
export async function ask(server, request, token) {
  const credentials = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status, body } = await asker(server, credentials)(request);
  if (status < 300) return body;
  const said = JSON.stringify(body)?.slice(0, 300);
  throw new Error(`${server.name}: ${request.path} answered ${status}: ${said}`);
}
