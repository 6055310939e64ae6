import { AddressInfo } from 'node:net';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { HttpAdapterHost } from '@nestjs/core';

import { Config, serverUrl } from '../config/config.js';

/**
 * `PUBLIC_URL`, else where the server listens. Never the host that a request names: whoever asks for a link would decide
 * where it leads.
 * @example const link = `${this.publicUrl}/orders/${id}`;
 */
@Injectable()
export class PublicUrl {
  constructor(
    private readonly config: ConfigService<Config, true>,
    private readonly adapter: HttpAdapterHost,
  ) {}

  toString(): string {
    const configured = this.config.get('publicUrl', { infer: true });
    const server = this.adapter.httpAdapter.getHttpServer() as { address(): AddressInfo | null };
    const address = server.address();
    if (configured !== undefined) return configured;
    if (!address) throw new Error('the service does not listen yet');
    return serverUrl(address, this.config.get('tls', { infer: true }) !== undefined);
  }
}
