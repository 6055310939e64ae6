/** Whether a URL is a health check, which responds whatever else does not. */
export const isHealth = (url: string): boolean => url.startsWith('/health/');
