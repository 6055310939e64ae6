import { Injectable } from '@nestjs/common';
import { FastifyRequest } from 'fastify';
import { BasicStrategy as PassportBasicStrategy } from 'passport-http';

import { ProvedPairs } from '../passwords/proved-pairs.js';
import { BasicCredentials, readBasicCredentials } from './basic-credentials.js';

/** A header that Passport's strategy reads well; what it reads is not used. */
const PLAIN = { authorization: `Basic ${Buffer.from('read:elsewhere').toString('base64')}` };

interface ReadRequest {
  readonly headers: typeof PLAIN;
  readonly credentials: BasicCredentials;
  readonly address: string;
}

/**
 * Passport's Basic strategy with the header read by us: on its own it cuts the password at a second colon, refuses
 * an empty one, takes any scheme with `Basic` in its name, and knows no malformed UTF-8.
 */
@Injectable()
export class BasicStrategy extends PassportBasicStrategy {
  constructor(pairs: ProvedPairs) {
    super({ realm: 'plinth', passReqToCallback: true }, (request, _user, _password, done) => {
      const { credentials, address } = request as unknown as ReadRequest;
      pairs.find(credentials.user, credentials.password, address).then(
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
