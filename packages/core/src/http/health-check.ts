/**
 * Whether a URL, or the pattern of a route, is that of a health check. A health check is never rejected, is logged at
 * `debug`, and does not count as a request in metrics.
 */
export const isHealthCheck = (url: string): boolean => url.startsWith('/health/');
