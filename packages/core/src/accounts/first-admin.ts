import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { Config } from '../config/config.js';
import { ConfigError } from '../config/read-config.js';
import { violatedConstraint } from '../database/database-error.js';
import { AccountsRepository } from './accounts.repository.js';
import { ADMIN } from './current-role.js';
import { Passwords } from './passwords.js';

@Injectable()
export class FirstAdmin {
  constructor(
    private readonly users: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly config: ConfigService<Config, true>,
  ) {}

  /** Creates the administrator of the configuration where there is none. @param isReset gives one a new password */
  async ensure(isReset = false): Promise<void> {
    const { email, password } = this.config.get('admin', { infer: true });
    const user = await this.users.findCredentials(email);
    const hasAdmin = await this.users.hasAdmin();
    if (hasAdmin && !isReset) return;
    if ((hasAdmin || user) && user?.role !== ADMIN)
      throw new ConfigError([
        `ADMIN_EMAIL: must be the e-mail of an administrator (got ${JSON.stringify(email)})`,
      ]);
    const file = resolve(this.config.get('dataDir', { infer: true }), 'admin-password');
    if (password === undefined && !process.stderr.isTTY) assertWritable(file);
    const chosen = password ?? randomBytes(15).toString('base64url');
    const passwordHash = await this.passwords.hash(chosen);
    try {
      if (user) await this.users.setPasswordHash(user.id, passwordHash);
      else await this.users.add({ email, passwordHash, role: ADMIN });
    } catch (error) {
      // Another instance has created the administrator at the same time.
      if (violatedConstraint(error) === 'users_email_key') return;
      throw error;
    }
    process.stderr.write(`Admin          ${user?.email ?? email}\n`);
    if (password === undefined) deliverPassword(chosen, file);
  }
}

/** Asserts that a generated password can be written, before it is stored and could not be handed over. */
function assertWritable(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    // An existing file stays: another instance may just have written it.
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw new ConfigError([
      `the generated password of the administrator cannot be written to ${file} (${(error as Error).message}): set ADMIN_PASSWORD, or a DATA_DIR that can be written`,
    ]);
  }
}

/** Writes a generated password to the terminal or, where there is none, to a file of the service's user. Never to a log. */
function deliverPassword(password: string, file: string): void {
  if (process.stderr.isTTY) {
    process.stderr.write(`Password       ${password}  (shown this once)\n`);
    return;
  }
  chmodSync(file, 0o600);
  writeFileSync(file, `${password}\n`);
  process.stderr.write(`Password       in ${file}  (delete the file when you have read it)\n`);
}
