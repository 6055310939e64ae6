import { patience } from '../../../scripts/lib/patience.mjs';

/** Bounds of time are this much longer: what else runs on the machine takes its part of the cores. From 1 to 3. */
export const PATIENCE = await patience();

process.env.TEST_PATIENCE = String(PATIENCE);
