import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Transporter } from 'nodemailer';

import { Config, mailFolder } from '../config/config.js';
import { PRODUCT } from '../config/product.js';

/** A file of text in a mail, such as an export. The end of its name decides its media type. */
export interface MailAttachment {
  readonly filename: string;
  readonly content: string;
}

/**
 * A mail to one address, as text and optionally also as HTML. `renderMail()` returns both.
 * @example const mail: Mail = { to: user.email, subject: 'Your order', ...renderMail({ paragraphs }) };
 */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  /** Mail servers reject mails of more than about 10 MB. */
  readonly attachments?: readonly MailAttachment[] | undefined;
}

const TIMEOUTS = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 };
/** Prevents nodemailer from reading files or URLs that the content of a mail names. */
const NO_EXTERNAL_CONTENT = { disableFileAccess: true, disableUrlAccess: true };

/**
 * Sends mails through the SMTP server of `SMTP_URL`. Without `SMTP_URL`, writes `.eml` files, which mail programs can
 * open.
 */
export class MailTransport {
  private smtp?: Transporter;

  constructor(
    private readonly config: Config['mail'],
    private readonly dataDir: string,
  ) {}

  /**
   * Sends one mail.
   * @param id identifies the mail. It must be the same for each attempt, so that the recipient's mail program can
   * recognize a mail that arrives twice
   * @throws Error if the SMTP server does not accept the mail
   */
  async send({ to, ...content }: Mail, id: string, signal: AbortSignal): Promise<void> {
    const { from, smtpUrl } = this.config;
    // Import nodemailer with the first mail, so that the service starts faster.
    const { createTransport } = await import('nodemailer');
    const message = {
      ...content,
      attachments: [...(content.attachments ?? [])],
      // Pass objects, because nodemailer would parse a string as a list of addresses.
      from: { name: PRODUCT.name, address: from },
      to: { name: '', address: to },
      messageId: `<${id}@${from.split('@').at(-1) ?? ''}>`,
      // This header asks programs not to reply (RFC 3834 §5).
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
