/** Assertions that run in Node.js and in browsers. */
export function equal(actual, expected, what = 'it') {
  const [got, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (got !== wanted) throw new Error(`${what} is ${got}, not ${wanted}`);
}

export function ok(value, what) {
  if (!value) throw new Error(`${what}: no`);
}

/** What a promise is rejected with. */
export async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was not rejected');
}

/** A property of each of them. */
export const each = (items, name) => items.map((item) => item[name]);
