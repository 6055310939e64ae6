import { createApp, createLogger, readConfig } from '@plinth/core/dev';

import { withEmptyDatabase } from '../migrations/scratch.js';
import { buildProject, loadAppModule } from './project.js';

/** The application does not start without a secret, but it has no clients, so it signs nothing with this one. */
const UNUSED_SECRET = 'only to read what the application declares, for no token';

export interface BuildOptions {
  readonly 'no-build'?: boolean;
}

/** The application of a project, with its default settings. It does not listen. */
export interface ProjectApp {
  readonly nest: Awaited<ReturnType<typeof createApp>>['nest'];
  readonly config: ReturnType<typeof readConfig>;
}

/**
 * Builds the project, unless the option `no-build` is set, and passes its application to `work`. The application has a
 * temporary database without tables, because modules connect to a database when they start.
 */
export async function withProjectApp<T>(
  root: string,
  options: BuildOptions,
  work: (app: ProjectApp) => Promise<T>,
): Promise<T> {
  buildProject(root, options);
  return withEmptyDatabase(async (url) => {
    const config = readConfig({}, () => UNUSED_SECRET);
    const logger = createLogger('fatal');
    const { nest } = await createApp(await loadAppModule(root), config, url, { logger });
    try {
      return await work({ nest, config });
    } finally {
      await nest.close();
    }
  });
}
