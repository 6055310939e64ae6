/**
 * The cases of the benchmark. `cases/` has a file for each resource. A case creates pairs of equivalent requests, one for
 * each server. Before the load, some pairs are sent and `isSame` compares the responses, to make sure that both servers do
 * the same work. README.md explains how to add a case.
 */
import { orderCases } from './cases/orders.mjs';
import { productCases } from './cases/products.mjs';
import { reviewCases } from './cases/reviews.mjs';

/** @typedef {import('./load.mjs').Request} Request */
/** @typedef {{ status: number, headers: Headers, body: any }} Answer */
/** @typedef {(request: Request) => Promise<Answer>} Ask */
/**
 * @typedef {object} Context
 * @property {number} products rows in the table
 * @property {number[]} ids of up to 100,000 products, in random order
 * @property {number[]} inStock ids of up to 20,000 products that can be ordered
 * @property {{ name: string, products: number }[]} categories that have at least a page of products
 * @property {number[]} customers ids of users with two pages of orders
 * @property {number[]} reviewed ids of products with two pages of reviews
 * @property {() => number} random repeatable, from 0 to below 1
 * @property {Ask} ours
 * @property {Ask} baseline
 */
/**
 * @typedef {object} Case
 * @property {string} name for `--only` and as the key of its results
 * @property {string} title
 * @property {{ ours: number, baseline: number }} status of a success; `wrk` accepts any status below 400
 * @property {(context: { products: number }) => number} [stretch] how many times longer than other cases it is loaded,
 *   because it has few responses
 * @property {(context: { ours: Ask, credentials: Record<string, string>[] }) => Promise<Record<string, string>[]>} [credentials]
 *   the credentials that our requests use in turn, instead of Bearer tokens
 * @property {(context: Context) => Promise<{ ours: Request, baseline: Request }[]>} pairs
 * @property {(ours: Answer, baseline: Answer) => boolean} isSame
 */

/** @type {Case[]} */
export const cases = [...productCases, ...orderCases, ...reviewCases];
