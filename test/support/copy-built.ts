import { cpSync } from 'node:fs';

/** Copies the built service, without what is built from it in turn: that comes and goes while tests build it. */
export function copyBuilt(folder: string): void {
  const isService = (path: string): boolean => !/openapi(\.json.*|-stamp)$/.test(path);
  cpSync('dist', folder, { recursive: true, filter: isService });
}
