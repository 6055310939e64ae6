/** What Node.js was started with: the options of `NODE_OPTIONS`, and after them those of the command, which win. */
export function nodeOptions(): string {
  return [process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ');
}
