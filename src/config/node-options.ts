/** Read when the program is imported: NODE_OPTIONS in an .env file, which is read later, tells Node.js nothing. */
const STARTED_WITH = [process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ');

/**
 * A size in MiB that Node.js was started with, in the command or, unless that has it, in `NODE_OPTIONS`.
 *
 * @param name such as `max-old-space-size`
 */
export function nodeSizeOption(name: string): number | undefined {
  const pattern = new RegExp(`--${name.replaceAll('-', '[-_]')}="?(\\d+)`, 'g');
  const size = Number([...STARTED_WITH.matchAll(pattern)].at(-1)?.[1] ?? 0);
  return size > 0 ? size : undefined;
}
