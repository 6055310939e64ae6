/**
 * A size in MiB that Node.js was started with, in the command or, unless that has it, in `NODE_OPTIONS`.
 *
 * @param name such as `max-old-space-size`
 */
export function nodeSizeOption(name: string): number | undefined {
  const options = [process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ');
  const pattern = new RegExp(`--${name.replaceAll('-', '[-_]')}="?(\\d+)`, 'g');
  const size = Number([...options.matchAll(pattern)].at(-1)?.[1] ?? 0);
  return size > 0 ? size : undefined;
}
