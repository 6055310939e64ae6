import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { AdminAnnouncement, Administrator, ApiError, Config, ConfigError } from '../core/index.js';
import { Passwords } from './passwords.js';
import { EMAIL_ALREADY_EXISTS } from './user.errors.js';
import { UsersRepository } from './users.repository.js';

/** Sees to it that somebody can administer the service. */
@Injectable()
export class FirstAdmin implements Administrator {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly config: ConfigService<Config, true>,
  ) {}

  async ensure(announcement: AdminAnnouncement): Promise<void> {
    if (await this.users.hasAdmin()) return;
    const { email } = this.config.get('admin', { infer: true });
    const { passwordHash, generated } = await this.newPassword(announcement);
    try {
      await this.users.add({ email, passwordHash, role: 'admin' });
    } catch (error) {
      if (!(error instanceof ApiError && error.type === EMAIL_ALREADY_EXISTS)) throw error;
      // Another instance that started at the same time was faster.
      if (await this.users.hasAdmin()) return;
      throw new ConfigError([
        `ADMIN_EMAIL: got ${JSON.stringify(email)}, which belongs to a user who is no administrator`,
      ]);
    }
    announcement.announce(email, generated);
  }

  async reset(announcement: AdminAnnouncement): Promise<void> {
    if (!(await this.users.hasAdmin())) return this.ensure(announcement);
    const { email } = this.config.get('admin', { infer: true });
    const admin = await this.users.findCredentials(email);
    if (admin?.role !== 'admin') {
      throw new ConfigError([
        `ADMIN_EMAIL: got ${JSON.stringify(email)}, takes the e-mail of an administrator`,
      ]);
    }
    const { passwordHash, generated } = await this.newPassword(announcement);
    await this.users.setPasswordHash(admin.id, passwordHash);
    announcement.announce(admin.email, generated);
  }

  private async newPassword(
    announcement: AdminAnnouncement,
  ): Promise<{ passwordHash: string; generated: string | undefined }> {
    const { password } = this.config.get('admin', { infer: true });
    if (password !== undefined)
      return { passwordHash: await this.passwords.hash(password), generated: undefined };
    announcement.prepare();
    const generated = randomBytes(15).toString('base64url');
    return { passwordHash: await this.passwords.hash(generated), generated };
  }
}
