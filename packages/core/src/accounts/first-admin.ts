import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { Config } from '../config/config.js';
import { administratorRole } from '../config/define-access.js';
import { ConfigError } from '../config/read-config.js';
import { violatedConstraint } from '../database/database-error.js';
import { UNIQUE_EMAIL } from './account.entity.js';
import { AccountsRepository } from './accounts.repository.js';
import { Passwords } from './passwords.js';

/** Creates the first administrator at start, so that somebody can log in to a new service. */
@Injectable()
export class FirstAdmin {
  constructor(
    private readonly users: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly config: ConfigService<Config, true>,
  ) {}

  /**
   * Creates the configured administrator if no administrator exists.
   * @param isReset whether to set a new password if the configured administrator already exists
   * @throws ConfigError if `ADMIN_EMAIL` belongs to a user who is not an administrator, if a reset finds administrators
   * but not one with `ADMIN_EMAIL`, or if the file for a generated password is not writable
   */
  async ensure(isReset = false): Promise<void> {
    const { email, password } = this.config.get('admin', { infer: true });
    const user = await this.users.findCredentials(email);
    const hasAdmin = await this.users.hasAdmin();
    if (hasAdmin && !isReset) return;
    if ((hasAdmin || user) && user?.role !== administratorRole())
      throw new ConfigError([
        `ADMIN_EMAIL: must be the e-mail of an administrator (got ${JSON.stringify(email)})`,
      ]);
    const file = resolve(this.config.get('dataDir', { infer: true }), 'admin-password');
    if (password === undefined && !process.stderr.isTTY) assertWritable(file);
    const chosen = password ?? randomBytes(15).toString('base64url');
    const passwordHash = await this.passwords.hash(chosen);
    try {
      if (user) await this.users.setPasswordHash(user.id, passwordHash);
      else await this.users.add({ email, passwordHash, role: administratorRole() });
    } catch (error) {
      // If another instance has created the administrator at the same time, there is nothing left to do.
      if (violatedConstraint(error) === UNIQUE_EMAIL) return;
      throw error;
    }
    process.stderr.write(`Admin          ${user?.email ?? email}\n`);
    if (password === undefined) deliverPassword(chosen, file);
  }
}

/**
 * Asserts that a generated password can be written to a file. Call it before the hash is stored. If the file could not
 * be written afterwards, nobody would know the password.
 */
function assertWritable(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Open the file for appending, because another instance may just have written it.
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw new ConfigError([
      `the generated password of the administrator cannot be written to ${file} (${(error as Error).message}): set ADMIN_PASSWORD, or set DATA_DIR to a writable folder`,
    ]);
  }
}

/**
 * Writes a generated password to the terminal. If there is no terminal, standard error may end up in a log. Then the
 * function writes the password to a file that only the owner of the file can read.
 */
function deliverPassword(password: string, file: string): void {
  if (process.stderr.isTTY) {
    process.stderr.write(`Password       ${password}  (shown this once)\n`);
    return;
  }
  chmodSync(file, 0o600);
  writeFileSync(file, `${password}\n`);
  process.stderr.write(`Password       in ${file}  (delete the file when you have read it)\n`);
}
