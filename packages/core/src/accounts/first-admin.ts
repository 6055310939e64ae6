import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

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
    const hasAdmin = await this.users.hasAdmin();
    if (hasAdmin && !isReset) return;
    const { email, password } = this.config.get('admin', { infer: true });
    const user = await this.users.findCredentials(email);
    // Another instance that started at the same time was faster.
    if (user?.role === ADMIN && !isReset) return;
    if ((hasAdmin || user) && user?.role !== ADMIN)
      throw new ConfigError([
        `ADMIN_EMAIL: got ${JSON.stringify(email)}, takes the e-mail of an administrator`,
      ]);
    const announcement = new AdminAnnouncement(this.config.get('dataDir', { infer: true }));
    if (password === undefined) announcement.prepare();
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
    announcement.announce(user?.email ?? email, password === undefined ? chosen : undefined);
  }
}

/**
 * Tells the person who runs the service the credentials of an administrator: a generated password goes to the terminal
 * or, where there is none, to the file `admin-password` in the data directory, which only the service's user reads.
 * Never to a log.
 */
class AdminAnnouncement {
  private readonly path = resolve(this.dataDir, 'admin-password');

  constructor(private readonly dataDir: string) {}

  /** Asserts that the file can be written, before a password is stored that could not be handed over. */
  prepare(): void {
    if (process.stderr.isTTY) return;
    try {
      mkdirSync(this.dataDir, { recursive: true });
      // An existing file stays: another instance may just have written it.
      closeSync(openSync(this.path, 'a', 0o600));
    } catch (error) {
      throw new ConfigError([
        `the generated password of the administrator cannot be written to ${this.path} (${(error as Error).message}): set ADMIN_PASSWORD, or a DATA_DIR that can be written`,
      ]);
    }
  }

  /** @param generatedPassword `undefined`: the one of the configuration holds */
  announce(email: string, generatedPassword: string | undefined): void {
    process.stderr.write(`Admin          ${email}\n`);
    if (generatedPassword === undefined) return;
    if (process.stderr.isTTY) {
      process.stderr.write(`Password       ${generatedPassword}  (shown this once)\n`);
      return;
    }
    chmodSync(this.path, 0o600);
    writeFileSync(this.path, `${generatedPassword}\n`);
    process.stderr.write(`Password       in ${this.path}  (delete the file when you have read it)\n`);
  }
}
