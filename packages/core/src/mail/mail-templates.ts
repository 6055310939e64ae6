import { Injectable } from '@nestjs/common';

import { PRODUCT } from '../config/product.js';
import { Mail } from './mail-transport.js';
import { renderMail } from './render-mail.js';

/** The subject and the text of a mail. A method of `MailTemplates` returns them, and the base adds the recipient. */
export type MailContent = Omit<Mail, 'to'>;

/** The values that the base passes to a method of `MailTemplates` for a mail with a link. */
export interface LinkValues {
  /** The `PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string;
  /** The secret of the link. A request with this secret proves that the user has received the mail. */
  readonly token: string;
}

const { name } = PRODUCT;

/**
 * Provides the texts of the mails that the base sends. To change a text or its language, extend this class, override
 * methods, and pass the class to `PlinthModule.forRoot({ mails })`. Put a token into the fragment of a link
 * (`#token=…`). Browsers do not send fragments to servers, so no log contains the token.
 *
 * Do not use it for mails of your own features: use `Mails` and `renderMail()` instead.
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
      'If it was not you, do nothing. Your password will not change.',
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
      `This address was given for a ${name} account. The link below confirms that it is yours. The link works once, for 24 hours.`,
      'If the account is not yours, do nothing.',
    ];
    const url = `${publicUrl}/email-verification#token=${token}`;
    return {
      subject: `Confirm your e-mail for ${name}`,
      ...renderMail({ paragraphs, link: { label: 'Confirm this address', url } }),
    };
  }

  /** This mail goes to the previous address. */
  emailChanged(): MailContent {
    const paragraphs = [
      `The e-mail of your ${name} account was changed. Mails about the account go to another address from now on.`,
      'If it was not you, contact the operator of the service.',
    ];
    return { subject: `The e-mail of your ${name} account was changed`, ...renderMail({ paragraphs }) };
  }
}
