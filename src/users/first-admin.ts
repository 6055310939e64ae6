import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Config } from '../config/config.js';
import { ApiError } from '../http/errors/api-error.js';
import { Passwords } from './passwords.js';
import { EMAIL_ALREADY_EXISTS } from './user.errors.js';
import { UsersRepository } from './users.repository.js';

/** Sees to it that somebody can administer a new service. */
@Injectable()
export class FirstAdmin {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly config: Config,
  ) {}

  /**
   * Creates the administrator of the configuration where there is none.
   *
   * @returns its credentials where it was created, for the one who starts the service; the password only where it
   *   was generated
   */
  async ensure(): Promise<{ email: string; generatedPassword: string | undefined } | null> {
    if (await this.users.hasAdmin()) return null;
    const { email, password } = this.config.admin;
    const generatedPassword = password === undefined ? randomBytes(15).toString('base64url') : undefined;
    const passwordHash = await this.passwords.hash(password ?? (generatedPassword as string));
    try {
      await this.users.add({ email, passwordHash, role: 'admin' });
    } catch (error) {
      // Another instance that started at the same time was faster.
      if (error instanceof ApiError && error.type === EMAIL_ALREADY_EXISTS) return null;
      throw error;
    }
    return { email, generatedPassword };
  }
}
