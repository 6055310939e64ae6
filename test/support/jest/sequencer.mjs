import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// A dependency of Jest, which installs it.
const require = createRequire(import.meta.url);
const { default: Sequencer } = require('@jest/test-sequencer');

/** How a test file starts a process, or a service in its own process. */
const STARTS = /\b(?:new ServiceProcess|start\w*|openEmbeddedDatabase|describeWithRedis)\(/g;
/** The number of characters of ordinary tests that take as long as one start. */
const WEIGHT_OF_START = 20_000;

/**
 * Starts the slowest files first, so that no worker is busy with one while the others are idle. Jest knows
 * the durations from earlier runs, but in a fresh clone it would sort by size only.
 */
export default class SlowestFirst extends Sequencer {
  sort(tests) {
    if (tests.some((test) => this.time(test) !== undefined)) return super.sort(tests);
    const weights = new Map(tests.map((test) => [test, weightOf(test)]));
    return tests.toSorted((a, b) => weights.get(b) - weights.get(a));
  }

  /** Projects share the cache of compiled files, but their durations are kept apart. */
  _getCachePath({ config, ...context }) {
    return super._getCachePath({
      ...context,
      config: { ...config, id: `${config.id}-${config.displayName.name}` },
    });
  }
}

function weightOf({ path }) {
  const text = readFileSync(path, 'utf8');
  return text.length + WEIGHT_OF_START * [...text.matchAll(STARTS)].length;
}
