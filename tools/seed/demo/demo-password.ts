import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { UsageError } from '../../usage-error.js';
import { DEMO_USERS } from './demo-rows.js';

/** The password of the demo's users. */
export interface DemoPassword {
  readonly text: string;
  readonly isGenerated: boolean;
}

const SHORTEST = 8;
const LONGEST = 128;

/**
 * The password in a file, without the end of its line; a generated one where no file is named.
 *
 * @throws UsageError where the file has no password that a user can have
 */
export function demoPassword(file: string | undefined): DemoPassword {
  if (file === undefined) return { text: randomBytes(15).toString('base64url'), isGenerated: true };
  const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  if (text.length >= SHORTEST && text.length <= LONGEST) return { text, isGenerated: false };
  throw new UsageError(
    `--password-file: ${file} has ${text.length} characters, takes ${SHORTEST} to ${LONGEST}`,
  );
}

interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Says who the demo's users are. A generated password goes to the terminal or, where there is none, to the file
 * `demo-password` in the data directory, which only its owner reads: never into a log.
 */
export function announceDemo({ text, isGenerated }: DemoPassword, terminal: Terminal, dataDir: string): void {
  terminal.write('added the demo data, with these users:\n');
  for (const { email, role, id } of DEMO_USERS) terminal.write(`  ${email.padEnd(20)} ${role}, id ${id}\n`);
  if (!isGenerated) return;
  if (terminal.isTTY) {
    terminal.write(`the password of each: ${text}  (shown this once)\n`);
    return;
  }
  mkdirSync(dataDir, { recursive: true });
  const path = resolve(join(dataDir, 'demo-password'));
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  terminal.write(`the password of each is in ${path}  (delete the file when you have read it)\n`);
}
