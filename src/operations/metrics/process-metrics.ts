import { OLD_GENERATION_LIMIT } from '../heap.js';
import { MetricDefinition } from './metrics.js';

/** Metrics of the process that prom-client leaves out. */
export function processMetrics(): MetricDefinition[] {
  return [
    {
      name: 'nodejs_heap_size_limit_bytes',
      type: 'gauge',
      help: 'Bytes that the old generation of the heap may grow to, before V8 ends the process.',
      read: () => [{ value: OLD_GENERATION_LIMIT }],
    },
  ];
}
