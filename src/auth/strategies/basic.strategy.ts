import { Injectable } from '@nestjs/common';
import { FastifyRequest } from 'fastify';
import { BasicStrategy as PassportBasicStrategy } from 'passport-http';

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
export class BasicStrategy extends PassportBasicStrategy {
  constructor(verifier: BasicVerifier) {
    super({ realm: 'plinth', passReqToCallback: true }, (request, _user, _password, done) => {
      const { credentials, address } = request as unknown as ReadRequest;
      verifier.verify(credentials.user, credentials.password, address).then(
        (principal) => {
          done(null, principal ?? false);
        },
        (error: unknown) => {
          done(error);
        },
      );
    });
  }

  override authenticate(request: Parameters<PassportBasicStrategy['authenticate']>[0]): void {
    const { headers, ip: address } = request as unknown as FastifyRequest;
    const credentials = readBasicCredentials(headers.authorization);
    if (!credentials) {
      (this as unknown as { fail(status: number): void }).fail(400);
      return;
    }
    const read: ReadRequest = { headers: PLAIN, credentials, address };
    super.authenticate(read as unknown as typeof request);
  }
}
