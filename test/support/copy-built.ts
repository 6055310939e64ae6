import { cpSync } from 'node:fs';

/**
 * Copies the built service without files that tests build from it, because those appear and disappear
 * meanwhile.
 */
export function copyBuilt(folder: string): void {
  const isService = (path: string): boolean => !/openapi(\.json.*|-stamp)$/.test(path);
  cpSync('dist', folder, { recursive: true, filter: isService });
}
