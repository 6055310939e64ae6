/** Reports the costs of all queries of a run. */
import { root } from '../servers.mjs';

const { planLines } = await import(root('packages/dev/dist/lists/plan.js'));

const DEAREST = 20;
const PLAN_LINES = 6;
/**
 * The most buffers that a query may read for each row of a page. With 10,000 products a page takes some 10 for each row, a
 * walk through a whole index 26, and a walk through the rows of the table in the order of an index 500.
 */
const BUFFERS_PER_ROW = 30;
/** A search reads every row that it ranks, and the table has 455 blocks. */
const BUFFERS_PER_SEARCHED_ROW = 50;
const LIMIT = 20;

/** @typedef {import('./run.mjs').Result} Result */

/** @param {Result[]} results @param {Result[]} smallest the same queries on the fewest rows */
export function reportOf(results, smallest) {
  const bySmallest = new Map(smallest.map((one) => [one.key, one]));
  const reported = results.filter(({ isReported }) => isReported);
  const dearest = results.toSorted((one, other) => other.ms - one.ms).slice(0, DEAREST);
  const show = (result) => {
    const { key, ms, buffers, plan, error } = result;
    const first = bySmallest.get(key);
    const ratio = first
      ? `, ${(ms / first.ms).toFixed(1)} times the ${first.ms.toFixed(1)} ms of the fewest rows`
      : '';
    const lines = plan ? planLines(plan).slice(0, PLAN_LINES) : [];
    return [`${key}\n  ${error ?? `${ms.toFixed(1)} ms, ${buffers} buffers${ratio}`}`, ...lines].join(
      '\n    ',
    );
  };
  return [
    'Requests that issues reported',
    ...reported.map(show),
    `\nThe ${DEAREST} most expensive queries`,
    ...dearest.map(show),
    `\n${results.filter(({ ms }) => ms > 100).length} of ${results.length} queries take more than 100 ms.`,
  ].join('\n');
}

/** @param {Result[]} results @returns {string[]} a line for each query that read too much */
export function overBound(results) {
  return results
    .filter(({ error, key, buffers }) => {
      const most = /[?&]q=/.test(key) ? BUFFERS_PER_SEARCHED_ROW : BUFFERS_PER_ROW;
      return error || buffers > most * LIMIT;
    })
    .map(({ key, buffers, error, plan }) =>
      [`${key}: ${error ?? `${buffers} buffers`}`, ...(plan ? planLines(plan) : [])].join('\n'),
    );
}
