import { makeContext } from './context.mjs';
import { tests as auth } from './auth.suite.mjs';
import { tests as helpers } from './helpers.suite.mjs';
import { tests as reading } from './reading.suite.mjs';
import { tests as writing } from './writing.suite.mjs';

/**
 * Runs all tests against a service, one after the other, in Node.js or in a browser. Resolves to the name of each, with a
 * message if it has failed. Each test has its own administrator, and so its own rate limit, so that other tests cannot
 * cause a 429.
 */
export async function runSuites({ where, ...settings }) {
  const { newUser } = makeContext(settings);
  const results = [];
  for (const [name, test] of Object.entries({ ...reading, ...writing, ...auth, ...helpers })) {
    const result = { name: `${where}: ${name}`, failure: undefined };
    try {
      const { email, password } = await newUser('admin');
      await test(makeContext({ ...settings, admin: { email, password } }));
    } catch (error) {
      result.failure = String(error?.stack ?? error);
    }
    results.push(result);
  }
  return results;
}
