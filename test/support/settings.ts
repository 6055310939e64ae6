import { DEFAULTS, Settings } from '@plinth/dev/testing';

import { PressureLimits } from '../../packages/core/src/operations/overload.js';

export { DEFAULTS, type Settings };

/** Signs the tokens of services under test that are not given another. */
export const SECRET = DEFAULTS['JWT_SECRET'] ?? '';

/** Of a service that is not asked for its documents: serving them is a third of its start. */
export const UNDOCUMENTED: Settings = { ...DEFAULTS, DOCS: 'false' };

/** Services under test share their event loop with each other, a test and its compiler. */
export const NO_PRESSURE: PressureLimits = { eventLoopDelayMs: Infinity, heapShare: 1 };
