import { AddressInfo } from 'node:net';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { HttpAdapterHost } from '@nestjs/core';

import { Config, serverUrl } from '../config/config.js';

/**
 * Provides the URL of the service for links in mails. This is `PUBLIC_URL` if it is set, otherwise the address of the
 * server.
 *
 * Do not use the `Host` of a request for such links, because the sender of the request could choose where the links
 * lead.
 * @example const link = `${this.publicUrl}/orders/${id}`;
 */
@Injectable()
export class PublicUrl {
  constructor(
    private readonly config: ConfigService<Config, true>,
    private readonly adapter: HttpAdapterHost,
  ) {}

  /**
   * Returns the URL without a slash at its end.
   * @throws Error if `PUBLIC_URL` is not set and the service is not listening yet
   */
  toString(): string {
    const configured = this.config.get('publicUrl', { infer: true });
    const server = this.adapter.httpAdapter.getHttpServer() as { address(): AddressInfo | null };
    const address = server.address();
    if (configured !== undefined) return configured;
    if (!address) throw new Error('the service is not listening yet');
    return serverUrl(address, this.config.get('tls', { infer: true }) !== undefined);
  }
}
