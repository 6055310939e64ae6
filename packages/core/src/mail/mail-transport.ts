import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Transporter } from 'nodemailer';

import { Config, mailFolder } from '../config/config.js';
import { PRODUCT } from '../config/product.js';

/** A mail to one address, as text and, if it has any, as HTML. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
}

const TIMEOUTS = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 };
/** Forbids nodemailer to read files or URLs that the content of a mail names. */
const NO_EXTERNAL_CONTENT = { disableFileAccess: true, disableUrlAccess: true };

/** Sends mails by the SMTP server of `SMTP_URL`. Without one, writes them to `.eml` files, which mail programs open. */
export class MailTransport {
  private smtp?: Transporter;

  constructor(
    private readonly config: Config['mail'],
    private readonly dataDir: string,
  ) {}

  /** @param id the same for each attempt, so that the recipient can recognize a mail that arrives twice */
  async send({ to, ...content }: Mail, id: string, signal: AbortSignal): Promise<void> {
    const { from, smtpUrl } = this.config;
    // Loaded for the first mail, so that the service starts sooner.
    const { createTransport } = await import('nodemailer');
    const message = {
      ...content,
      // Objects, because nodemailer would parse text as a list of addresses.
      from: { name: PRODUCT.name, address: from },
      to: { name: '', address: to },
      messageId: `<${id}@${from.split('@').at(-1) ?? ''}>`,
      // Asks machines not to reply (RFC 3834 §5).
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
    if (smtpUrl) {
      this.smtp ??= createTransport({ url: smtpUrl, ...TIMEOUTS, ...NO_EXTERNAL_CONTENT });
      await this.smtp.sendMail({ ...message, signal });
      return;
    }
    const composer = createTransport({ streamTransport: true, buffer: true, ...NO_EXTERNAL_CONTENT });
    const { message: bytes } = await composer.sendMail(message);
    const folder = mailFolder(this.dataDir);
    await mkdir(folder, { recursive: true });
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${id}.eml`;
    await writeFile(join(folder, name), bytes as Buffer, { mode: 0o600 });
  }
}
