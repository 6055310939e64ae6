import { AddressInfo } from 'node:net';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { HttpAdapterHost } from '@nestjs/core';

import { Config, serverUrl } from '../config/config.js';

/**
 * The URL by which people reach the service: `PUBLIC_URL`, or else the address of the server. Use it for links in mails, never
 * the `Host` of a request, because the sender of the request could then choose where the link leads.
 * @example const link = `${this.publicUrl}/orders/${id}`;
 */
@Injectable()
export class PublicUrl {
  constructor(
    private readonly config: ConfigService<Config, true>,
    private readonly adapter: HttpAdapterHost,
  ) {}

  /** @throws Error without `PUBLIC_URL`, if the service is not listening yet */
  toString(): string {
    const configured = this.config.get('publicUrl', { infer: true });
    const server = this.adapter.httpAdapter.getHttpServer() as { address(): AddressInfo | null };
    const address = server.address();
    if (configured !== undefined) return configured;
    if (!address) throw new Error('the service is not listening yet');
    return serverUrl(address, this.config.get('tls', { infer: true }) !== undefined);
  }
}
