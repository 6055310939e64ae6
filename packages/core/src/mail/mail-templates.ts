import { Injectable } from '@nestjs/common';

import { PRODUCT } from '../config/product.js';
import { Mail } from './mail-transport.js';

/** What a mail says, to whomever it is sent. */
export type MailContent = Omit<Mail, 'to'>;

/** What a mail with a link is made of. */
export interface LinkValues {
  /** `PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string;
  readonly token: string;
}

const { name } = PRODUCT;

/**
 * The mails of the base. An application overrides methods in a class of its own, and gives it to
 * `PlinthModule.forRoot({ mails })`. Tokens are in the fragments of links, which browsers send to no server.
 * @example
 * class ShopMails extends MailTemplates {
 *   override passwordChanged(): MailContent {
 *     return { subject: 'Ihr Passwort', ...letter({ paragraphs: ['Ihr Passwort wurde geändert.'] }) };
 *   }
 * }
 */
@Injectable()
export class MailTemplates {
  passwordReset({ publicUrl, token }: LinkValues): MailContent {
    const paragraphs = [
      `Somebody, probably you, asked to reset the password of your ${name} account. The link below works once, for 30 minutes.`,
      'If it was not you, do nothing: your password stays as it is.',
    ];
    const url = `${publicUrl}/password-reset#token=${token}`;
    return {
      subject: `Reset your ${name} password`,
      ...renderMail({ paragraphs, link: { label: 'Choose a new password', url } }),
    };
  }

  passwordChanged(): MailContent {
    const paragraphs = [
      `The password of your ${name} account was changed, and its other logins were ended.`,
      'If it was not you, reset your password now.',
    ];
    return { subject: `Your ${name} password was changed`, ...renderMail({ paragraphs }) };
  }

  emailVerification({ publicUrl, token }: LinkValues): MailContent {
    const paragraphs = [
      `This address was given for a ${name} account. The link below confirms that it is yours; it works once, for 24 hours.`,
      'If the account is not yours, do nothing.',
    ];
    const url = `${publicUrl}/email-verification#token=${token}`;
    return {
      subject: `Confirm your e-mail for ${name}`,
      ...renderMail({ paragraphs, link: { label: 'Confirm this address', url } }),
    };
  }

  /** To the address before the change. */
  emailChanged(): MailContent {
    const paragraphs = [
      `The e-mail of your ${name} account was changed: mails about it go to another address from now on.`,
      'If it was not you, tell whoever runs the service.',
    ];
    return { subject: `The e-mail of your ${name} account was changed`, ...renderMail({ paragraphs }) };
  }
}

/** What a mail says: paragraphs of plain text, and a link below them. */
export interface MailBody {
  readonly paragraphs: readonly string[];
  readonly link?: { readonly label: string; readonly url: string };
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (char) => HTML_ENTITIES[char] ?? char);

/**
 * The text of a mail and its HTML, in which everything is escaped.
 * @example const mail = { to, subject: 'Your order', ...letter({ paragraphs: [`Order ${id} is on its way.`] }) };
 */
export function renderMail({ paragraphs, link }: MailBody): Pick<Mail, 'text' | 'html'> {
  const anchor = link && `<a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`;
  const blocks = [...paragraphs.map(escapeHtml), ...(anchor ? [anchor] : [])].map(
    (block) => `<p>${block}</p>`,
  );
  return {
    text: [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : [])].join('\n\n') + '\n',
    html: `<!doctype html>\n<html lang="en"><body style="font-family: sans-serif">\n${blocks.join('\n')}\n</body></html>\n`,
  };
}
