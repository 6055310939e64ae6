// Imported first: what is set here holds for code that V8 optimizes from here on.
import { setFlagsFromString } from 'node:v8';

// A stall leaves the process as fast as before: docs/decisions/no-pretenuring.md.
setFlagsFromString('--no-allocation-site-pretenuring');
// A heap that is nearly full turns requests away, and does not end the process: docs/decisions/overload.md.
setFlagsFromString('--no-detect-ineffective-gcs-near-heap-limit');
