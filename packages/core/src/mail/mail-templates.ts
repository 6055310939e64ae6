import { Injectable } from '@nestjs/common';

import { PRODUCT } from '../config/product.js';
import { Mail } from './mail-transport.js';
import { renderMail } from './render-mail.js';

/** The content of a mail, without its recipient. */
export type MailContent = Omit<Mail, 'to'>;

/** The values of a mail that has a link. */
export interface LinkValues {
  /** `PUBLIC_URL`, without a slash at the end. */
  readonly publicUrl: string;
  readonly token: string;
}

const { name } = PRODUCT;

/**
 * The texts of the mails that the base sends. To change a text, extend this class, override a method, and pass the class to
 * `PlinthModule.forRoot({ mails })`. Put tokens into the fragment of a link, because browsers send fragments to no server.
 * For mails of your own features, use `Mails` and `renderMail()`.
 * @example
 * class ShopMails extends MailTemplates {
 *   override passwordChanged(): MailContent {
 *     return { subject: 'Ihr Passwort', ...renderMail({ paragraphs: ['Ihr Passwort wurde geändert.'] }) };
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

  /** Sent to the previous address. */
  emailChanged(): MailContent {
    const paragraphs = [
      `The e-mail of your ${name} account was changed: mails about it go to another address from now on.`,
      'If it was not you, tell whoever runs the service.',
    ];
    return { subject: `The e-mail of your ${name} account was changed`, ...renderMail({ paragraphs }) };
  }
}
