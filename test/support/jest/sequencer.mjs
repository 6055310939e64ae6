import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// A part of Jest, which brings it along.
const require = createRequire(import.meta.url);
const { default: Sequencer } = require('@jest/test-sequencer');

/** How a test file starts a process, or a service in its own. */
const STARTS = /\b(?:new ServiceProcess|start\w*|openEmbeddedDatabase|describeWithRedis)\(/g;
/** How many characters of ordinary tests take as long as one start. */
const WEIGHT_OF_START = 20_000;

/**
 * Begins with the files that take longest, so that no worker ends with one while the others are idle. Jest knows how
 * long files took from earlier runs; in a fresh clone it would go by their size alone.
 */
export default class SlowestFirst extends Sequencer {
  sort(tests) {
    if (tests.some((test) => this.time(test) !== undefined)) return super.sort(tests);
    const weights = new Map(tests.map((test) => [test, weightOf(test)]));
    return tests.toSorted((a, b) => weights.get(b) - weights.get(a));
  }

  /** Projects share their cache of compiled files; their durations are kept apart. */
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
