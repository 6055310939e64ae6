import { remote } from './remote.js';

const SERVICE = 'needs a service of its own';
const DATABASE = "needs the service's database";

/** `describe` for tests of services of their own: settings, processes, faults, logs. Skipped with `E2E_BASE_URL`. */
export const describeWithOwnService = unless(describe, SERVICE);
/** `it` for one such test. */
export const itWithOwnService = unless(it, SERVICE);

/** `describe` for tests that read or write the database beside the service. Skipped with `E2E_BASE_URL`. */
export const describeWithDatabase = unless(describe, DATABASE);
/** `it` for one such test. */
export const itWithDatabase = unless(it, DATABASE);

/** The function itself or, for a service that is already up, one that skips and says why in the title. */
function unless<Declare extends jest.Describe | jest.It>(declare: Declare, reason: string): Declare {
  return remote ? skipping(declare, reason) : declare;
}

/** Skips, with the reason in the title. */
export function skipping<Declare extends jest.Describe | jest.It>(declare: Declare, reason: string): Declare {
  const titled = (title: string): string => `${title} (skipped: ${reason})`;
  const { skip } = declare as jest.It;
  const skipped = (title: string, ...rest: [jest.ProvidesCallback]): void => {
    skip(titled(title), ...rest);
  };
  const each =
    (...table: [never]) =>
    (title: string, ...rest: [never]): void => {
      skip.each(...table)(titled(title), ...rest);
    };
  return Object.assign(skipped, { each }) as unknown as Declare;
}
