import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { createTransformer: createSwcTransformer } = require('@swc/jest');
const { version } = require('@swc/core');

/**
 * SWC with a cache that all projects of jest.config.js share, because they compile a file in the same way.
 */
export default {
  createTransformer(options) {
    const transformer = createSwcTransformer(options);
    const base = JSON.stringify([version, options]);
    return {
      ...transformer,
      getCacheKey: (source, filename) =>
        createHash('sha1')
          .update(base)
          .update('\0')
          .update(filename)
          .update('\0')
          .update(source)
          .digest('hex'),
    };
  },
};
