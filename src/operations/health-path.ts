/** Whether a URL is one of those that tell how the process does: they answer whatever else does not. */
export const isHealth = (url: string): boolean => url.startsWith('/health/');
