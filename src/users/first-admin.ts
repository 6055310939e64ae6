import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { AdminAnnouncement, Administrator, ApiError, Config, ConfigError } from '../core/index.js';
import { Passwords } from './passwords.js';
import { EMAIL_ALREADY_EXISTS } from './user.errors.js';
import { UsersRepository } from './users.repository.js';

@Injectable()
export class FirstAdmin implements Administrator {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly config: ConfigService<Config, true>,
  ) {}

  async ensure(announcement: AdminAnnouncement, isReset = false): Promise<void> {
    const hasAdmin = await this.users.hasAdmin();
    if (hasAdmin && !isReset) return;
    const { email, password } = this.config.get('admin', { infer: true });
    const user = await this.users.findCredentials(email);
    // Another instance that started at the same time was faster.
    if (user?.role === 'admin' && !isReset) return;
    if ((hasAdmin || user) && user?.role !== 'admin')
      throw new ConfigError([
        `ADMIN_EMAIL: got ${JSON.stringify(email)}, takes the e-mail of an administrator`,
      ]);
    if (password === undefined) announcement.prepare();
    const chosen = password ?? randomBytes(15).toString('base64url');
    const passwordHash = await this.passwords.hash(chosen);
    try {
      if (user) await this.users.setPasswordHash(user.id, passwordHash);
      else await this.users.add({ email, passwordHash, role: 'admin' });
    } catch (error) {
      // So it was here.
      if (error instanceof ApiError && error.type === EMAIL_ALREADY_EXISTS) return;
      throw error;
    }
    announcement.announce(user?.email ?? email, password === undefined ? chosen : undefined);
  }
}
