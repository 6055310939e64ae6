import { createHash } from 'node:crypto';

const names = new Map<string, string>();

/**
 * The name of a statement that PostgreSQL keeps prepared on each connection for as long as it is open. For texts that
 * the code alone decides on: there must be few of them, whatever clients send. Others go without a name.
 */
export function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined)
    names.set(text, (name = `q_${createHash('sha1').update(text).digest('base64url')}`));
  return name;
}
