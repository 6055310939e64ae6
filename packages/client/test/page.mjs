/** What a page of the tests has in it. */
import * as library from '../../../client/dist/esm/index.js';
import { runSuites } from './suites.mjs';

Object.assign(globalThis, { library, runSuites });
