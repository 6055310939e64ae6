import { join, resolve } from 'node:path';

import { UsageError } from '../usage-error.js';

/** The only argument. @throws UsageError where there is none, or more */
export function fileArgument(usage: string): string {
  const [file, ...more] = process.argv.slice(2);
  if (file === undefined || file.startsWith('-') || more.length > 0) throw new UsageError(usage);
  // npm runs scripts in the project's folder, wherever it was called.
  return resolve(process.env['INIT_CWD'] ?? '', file);
}

/** Where a generated key of access tokens is kept. */
export const secretFile = (dataDir: string): string => join(dataDir, 'jwt-secret');

export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Runs a program: a fault of its use ends it with 2, any other with 1. */
export async function main(program: () => Promise<void>, usage: string): Promise<void> {
  // An embedded server that was started here ends with an orderly exit only.
  process.on('SIGINT', () => process.exit(130));
  process.on('SIGTERM', () => process.exit(143));
  if (process.argv[2] === '--help') {
    process.stdout.write(`${usage}\n`);
    return;
  }
  try {
    await program();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
