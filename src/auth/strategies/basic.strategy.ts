import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { FastifyRequest } from 'fastify';
import { StrategyCreatedStatic } from 'passport';
import { BasicStrategy as PassportBasicStrategy } from 'passport-http';

import { AuthScheme, Principal, SchemeStrategy } from '../../core/index.js';
import { basicChallenge, INVALID_CREDENTIALS, REALM } from '../../core/auth.js';
import { BasicVerifier } from '../passwords/basic-verifier.js';
import { BasicCredentials, readBasicCredentials } from './basic-credentials.js';

/** A header that Passport's strategy can read. What it reads is ignored. */
const PLAIN = { authorization: `Basic ${Buffer.from('read:elsewhere').toString('base64')}` };

interface ReadRequest {
  readonly headers: typeof PLAIN;
  readonly credentials: BasicCredentials;
  readonly address: string;
}

/**
 * Passport's Basic strategy with a header parser of our own: Passport's cuts the password at a second colon, refuses
 * an empty one, accepts any scheme whose name contains `Basic`, and ignores malformed UTF-8.
 */
@Injectable()
@AuthScheme({
  name: 'basic',
  header: 'Authorization',
  order: 20,
  errors: [INVALID_CREDENTIALS],
  challenge: basicChallenge,
  openapi: { type: 'http', scheme: 'basic', description: 'E-mail and password, UTF-8.' },
})
export class BasicStrategy
  extends PassportStrategy(PassportBasicStrategy, 'basic')
  implements SchemeStrategy
{
  constructor(private readonly verifier: BasicVerifier) {
    super({ realm: REALM, passReqToCallback: true });
  }

  accepts(authorization: string): boolean {
    return /^basic(?: |$)/i.test(authorization);
  }

  override authenticate(
    this: this & StrategyCreatedStatic,
    request: Parameters<PassportBasicStrategy['authenticate']>[0],
  ): void {
    // The request is Fastify's; the types of passport-http know Express's alone.
    const { headers, ip: address } = request as unknown as FastifyRequest;
    const credentials = readBasicCredentials(headers.authorization);
    if (!credentials) {
      this.fail(400);
      return;
    }
    const read: ReadRequest = { headers: PLAIN, credentials, address };
    super.authenticate(read as unknown as typeof request);
  }

  validate({ credentials, address }: ReadRequest): Promise<Principal | null> {
    return this.verifier.verify(credentials.user, credentials.password, address);
  }
}
