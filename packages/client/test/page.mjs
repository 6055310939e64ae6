/** What a page of the tests has in it. */
import { runSuites } from './suites.mjs';

globalThis.runSuites = runSuites;
