import { DEFAULTS, Settings } from '@plinth/dev/testing';

import { PressureLimits } from '../../packages/core/src/operations/overload.js';

export { DEFAULTS, type Settings };

/** Signs the tokens of services under test without another secret. */
export const SECRET = DEFAULTS['JWT_SECRET'] ?? '';

/** Turns the documents off, which take a third of the start of a service. */
export const UNDOCUMENTED: Settings = { ...DEFAULTS, DOCS: 'false' };

/** Services under test share their event loop with each other, or with a test and its compiler. */
export const NO_PRESSURE: PressureLimits = { eventLoopDelayMs: Infinity, heapShare: 1 };
