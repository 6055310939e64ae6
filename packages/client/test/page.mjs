/** The script of the test page. */
import { runSuites } from './suites.mjs';

globalThis.runSuites = runSuites;
