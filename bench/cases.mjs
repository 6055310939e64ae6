/**
 * What is measured, a file for each resource in `cases/`. A case makes its requests as pairs, one for each server, that
 * ask for the same thing; before the load some pairs are sent and `isSame` compares the answers, so that only servers
 * doing the same work are compared. README.md says how to add one.
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
 * @property {number[]} inStock ids of those of them that can be ordered
 * @property {{ name: string, products: number }[]} categories that have at least a page of products
 * @property {number[]} customers ids of users with two pages of orders
 * @property {number[]} reviewed ids of products with two pages of reviews
 * @property {() => number} random repeatable, from 0 to below 1
 * @property {Ask} ours
 * @property {Ask} baseline
 */
/**
 * @typedef {object} Case
 * @property {string} name for `--only` and the results' keys
 * @property {string} title
 * @property {{ ours: number, baseline: number }} status of a success; `wrk` takes any below 400 for one
 * @property {(context: { products: number }) => number} [stretch] how many times longer than others it is loaded,
 *   where answers are few
 * @property {(context: { ours: Ask, credentials: Record<string, string>[] }) => Promise<Record<string, string>[]>} [credentials]
 *   what our requests carry in turn in place of Bearer tokens
 * @property {(context: Context) => Promise<{ ours: Request, baseline: Request }[]>} pairs
 * @property {(ours: Answer, baseline: Answer) => boolean} isSame
 */

/** @type {Case[]} */
export const cases = [...productCases, ...orderCases, ...reviewCases];
