/** Assertions that run in Node.js and in browsers. */
export function equal(actual, expected, what = 'it') {
  const [got, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (got !== wanted) throw new Error(`${what} is ${got}, not ${wanted}`);
}

export function ok(value, what) {
  if (!value) throw new Error(`not as expected: ${what}`);
}

/** The reason with which a promise is rejected. */
export async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the promise was not rejected');
}

/** One property of each item. */
export const each = (items, name) => items.map((item) => item[name]);
