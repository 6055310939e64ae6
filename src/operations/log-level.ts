import { Logger } from 'pino';

import { stopFollowing } from '../telemetry/waits.js';

/** The signal that switches the log between its level and `debug`. */
export const LOG_LEVEL_SIGNAL = 'SIGUSR2';

/** Switches the log to `debug`, or back to the level of the configuration. A line says so, whatever the level. */
export function toggleDebug(logger: Logger, configured: string): void {
  const level = logger.level === 'debug' ? configured : 'debug';
  logger.level = 'info';
  logger.info({ logLevel: level }, 'the log level was changed by a signal');
  logger.level = level;
  if (level !== 'debug') stopFollowing();
}
