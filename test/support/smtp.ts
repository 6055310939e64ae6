import { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

import { eventually, uniqueEmail } from '@plinth/dev/testing';

import { Target } from './raw-http.js';

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly headers: string;
  /** The text of all parts, decoded. */
  readonly body: string;
}

/** How the server answers a complete mail: with an error, or `null` to accept it. */
export type Refusal = (mail: ReceivedMail) => Promise<Error | null>;

/** An SMTP server that keeps the mails that it receives. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Called before a mail is kept. */
  refusal: Refusal = () => Promise.resolve(null);
  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onData: (stream, { envelope }, done) => {
      void text(stream).then(async (raw) => {
        const [headers = '', ...parts] = raw.replaceAll('\r\n', '\n').split('\n\n');
        const body = parts.join('\n\n').replaceAll('=\n', '').replaceAll('=3D', '=');
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const mail = { from, to: envelope.rcptTo.map(({ address }) => address).join(), headers, body };
        const refused = await this.refusal(mail);
        if (!refused) this.received.push(mail);
        done(refused);
      });
    },
  });

  async start(port = 0): Promise<this> {
    this.server.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      this.server.listen(port, '127.0.0.1', resolve);
    });
    return this;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  /** Waits for the given number of mails to an address with a subject, and returns them. */
  async mails(to: string, subject: RegExp, count = 1): Promise<ReceivedMail[]> {
    const found = (): ReceivedMail[] =>
      this.received.filter((mail) => mail.to === to && subject.test(mail.headers));
    await eventually(() => Promise.resolve(found().length >= count), true, 30_000);
    return found();
  }

  /** The token of the newest link that an address was sent. */
  async token(to: string, subject: RegExp, count = 1): Promise<string> {
    const mail = (await this.mails(to, subject, count)).at(-1);
    return /#token=([\w-]+)/.exec(mail?.body ?? '')?.[1] ?? '';
  }
}

export const RESET = /^Subject: Reset your/m;
export const CONFIRM = /^Subject: Confirm your/m;
export const CHANGED_PASSWORD = /^Subject: Your .* password was changed/m;
export const CHANGED_EMAIL = /^Subject: The e-mail of your/m;

/** Registers a user, to whom the service sends a link. */
export async function register({ port }: Target): Promise<string> {
  const email = uniqueEmail('mailed');
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery staple' }),
  });
  expect(response.status).toBe(201);
  return email;
}
