import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { ConfigError } from '../config/read-config.js';

/** Sees to it that somebody can administer the service. The application provides it, as it owns the users. */
export abstract class Administrator {
  /**
   * Creates the administrator of the configuration where there is none, and announces it as soon as it is stored.
   *
   * @param isReset gives one who is there the password of the configuration, else a generated one, and ends their logins
   * @throws ConfigError where the configuration names somebody who is no administrator
   */
  abstract ensure(announcement: AdminAnnouncement, isReset?: boolean): Promise<void>;
}

/**
 * Tells the person who runs the service the credentials of an administrator: a generated password goes to the terminal
 * or, where there is none, to the file `admin-password` in the data directory, which only the service's user reads.
 * Never to a log.
 */
export class AdminAnnouncement {
  private readonly path: string;

  constructor(private readonly dataDir: string) {
    this.path = resolve(join(dataDir, 'admin-password'));
  }

  /**
   * Makes sure that the file can be written, before a password is stored that could not be handed over.
   *
   * @throws ConfigError that names the file and the way out
   */
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
