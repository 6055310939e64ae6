/** Runs every query on a database, one statement at a time. */
import { root } from '../servers.mjs';
import { REPORTED, shapesOf, textOf } from './combinations.mjs';

const { buffersOf } = await import(root('packages/dev/dist/lists/plan.js'));

/** PostgreSQL makes five plans for their values before it may keep one for all values. */
export const WARM_UPS = 7;
/** Slower statements are not repeated. */
const SLOW_MS = 200;
const LIMIT = 20;

/** @typedef {{ ms: number, plan?: import('../../packages/dev/src/lists/plan.js').Plan, buffers: number }} Cost */
/** @typedef {Cost & { key: string, rows: number, total?: number, isReported?: boolean, error?: string }} Result */
/** @typedef {Awaited<ReturnType<typeof import('./session.mjs').openService>>} Service */
/** @typedef {Awaited<ReturnType<typeof createReader>>} Reader */

/**
 * @param {Service} service
 * @param {{ only?: RegExp, log?: (line: string) => void, isSmoke?: boolean }} options smoke: buffers are read, no time
 * @returns {Promise<Result[]>}
 */
export async function runCombinations(service, { only, log = () => {}, isSmoke = false } = {}) {
  const { productList } = await import(root('dist/src/products/product.resource.js'));
  const reader = await createReader(service, productList);
  const results = [];
  for (const shape of shapesOf(productList)) {
    const values = shape.values.filter((value) => !only || only.test(keyOf(value, shape.sort)));
    if (values.length === 0) continue;
    if (!isSmoke) await warmUp(service, reader, shape);
    for (const value of values)
      for await (const result of measureValue(service, reader, { ...shape, value, isSmoke })) {
        log(`${result.ms.toFixed(1)} ms, ${result.buffers} buffers: ${result.key}${result.error ?? ''}`);
        results.push(result);
      }
  }
  const reported = REPORTED.map(([parameters, sort]) => `${keyOf(parameters, sort)} page 1`);
  return results.map((one) => ({ ...one, isReported: reported.includes(one.key) }));
}

const keyOf = (parameters, sort) => `?${decodeURIComponent(textOf({ ...parameters, sort }))}`;

/** Reads pages as the service does, by the parameters of a request. */
async function createReader(service, list) {
  const { CursorCodec } = await import(root('packages/core/dist/lists/cursor.js'));
  const { readListQuery } = await import(root('packages/core/dist/lists/list-query.js'));
  const cursors = new CursorCodec(['a-secret-of-the-benchmark-with-more-than-32-bytes']);
  const parse = (parameters) => readListQuery(list, textOf(parameters), cursors);
  const read = (parameters) => service.products.list(parse(parameters));
  return {
    read,
    isPrepared: (parameters) => service.statementOf(parse(parameters)).name !== undefined,
    /** The cursor at the row in the middle of a list. */
    async middle(parameters, total) {
      const [row] = (await read({ ...parameters, limit: 1, page: Math.ceil(total / 2) })).rows;
      const { sort, cursorScopeDigest } = parse({ ...parameters, cursor: '' });
      return cursors.encode(
        cursorScopeDigest,
        sort.map(({ property }) => row[property]),
      );
    },
  };
}

/** Has the connection see the common values many times, in both styles of paging. */
async function warmUp({ session }, { read }, { values, sort }) {
  for (const style of [{}, { cursor: '' }])
    for (let times = 1; times <= WARM_UPS; times++)
      for (const value of values.slice(0, 2)) {
        const work = () => read({ ...value, sort, limit: LIMIT, ...style }).catch(() => undefined);
        if ((await session.measure(work)).ms > SLOW_MS) times = WARM_UPS;
      }
}

/** Measures the positions of one list: pages by number, then pages by cursor. */
async function* measureValue(service, reader, { value, sort, isPair, isSmoke }) {
  const base = { ...value, sort, limit: LIMIT };
  const measure = (position, more) =>
    measureOne(service, reader, {
      key: `${keyOf(value, sort)} ${position}`,
      isSmoke,
      parameters: { ...base, ...more },
    });
  const first = await measure('page 1', {});
  yield first;
  yield await measure('cursor, first', { cursor: '' });
  if (isPair || !(first.total > 2 * LIMIT)) return;
  const pages = Math.ceil(first.total / LIMIT);
  if (pages > 40) yield await measure('page 40', { page: 40 });
  yield await measure('page in the middle', { page: Math.ceil(pages / 2) });
  yield await measure('last page', { page: pages });
  // Rows show no relevance, which a cursor would need.
  if (sort.startsWith('relevance')) return;
  yield await measure('cursor, middle', { cursor: await reader.middle(base, first.total) });
}

/** @returns {Promise<Result>} */
async function measureOne({ session }, reader, { key, parameters, isSmoke }) {
  let page = { rows: [] };
  const work = async () => (page = await reader.read(parameters));
  const measure = () => (isSmoke ? explained(session, work) : timed(session, work));
  try {
    let cost = await measure();
    // A connection may have either plan for a prepared statement: the dearer one counts.
    if (reader.isPrepared(parameters)) {
      await session.setPlans('force_generic_plan');
      const shared = await measure();
      await session.setPlans('auto');
      if (isSmoke ? shared.buffers > cost.buffers : shared.ms > cost.ms) cost = shared;
    }
    return { key, ...cost, rows: page.rows.length, total: page.total };
  } catch (error) {
    return { key, ms: Infinity, buffers: 0, rows: 0, error: String(error.message) };
  }
}

/** @returns {Promise<Cost>} */
async function explained(session, work) {
  const plan = await session.explain(work);
  return { ms: 0, plan, buffers: buffersOf(plan) };
}

/**
 * Measures some work twice, and returns the lower processor time of PostgreSQL, with the plan of its last statement.
 * @returns {Promise<Cost>}
 */
export async function timed(session, work) {
  const { ms: first } = await session.measure(work);
  const ms = first > SLOW_MS ? first : Math.min(first, (await session.measure(work)).ms);
  const cost = await explained(session, work);
  const isParallel = /"Workers Launched":[1-9]/.test(JSON.stringify(cost.plan));
  return { ...cost, ms: isParallel ? (await session.measure(work, true)).ms : ms };
}
