// Imported first: it holds for code that V8 optimizes from here on.
import { setFlagsFromString } from 'node:v8';

// See docs/decisions/no-pretenuring.md.
setFlagsFromString('--no-allocation-site-pretenuring');
