import { readFileSync } from 'node:fs';
import { createSecureContext, SecureContextOptions, Server as TlsServer } from 'node:tls';

import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { SigningKeys } from './auth/tokens/signing-keys.js';
import { Config } from './config/config.js';
import { hasSecretFiles, loadConfig } from './config/load-config.js';
import { serversOf } from './config/postgres-servers.js';
import { ConfigError } from './config/read-config.js';
import { Database } from './database/database.js';
import { Notifications } from './database/notifications.js';
import { RedisConnection } from './redis/redis-connection.js';
import { handleSignal } from './signals.js';

/**
 * Reads secrets anew from their files on SIGHUP, without a restart: keys of access tokens, the user and password of
 * PostgreSQL and Redis, the certificate. Where something is wrong with what is read, nothing changes, and the log says
 * what. Where no secret comes from a file, SIGHUP ends the process as it does elsewhere.
 */
@Injectable()
export class SecretRotation implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Secrets');
  private databaseUrl: string | undefined;

  constructor(
    private readonly config: Config,
    private readonly keys: SigningKeys,
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly adapter: HttpAdapterHost,
    @Optional() private readonly redis?: RedisConnection,
  ) {
    this.databaseUrl = config.database.url;
  }

  onApplicationBootstrap(): void {
    if (hasSecretFiles()) handleSignal('SIGHUP', this.rotate);
  }

  onModuleDestroy(): void {
    process.off('SIGHUP', this.rotate);
  }

  private readonly rotate = (): void => {
    try {
      const next = loadConfig();
      assertSameServer('DATABASE_URL', this.config.database.url, next.database.url);
      assertSameServer('REDIS_URL', this.config.redisUrl, next.redisUrl);
      assertSameReplicas(this.config.database.replicaUrls, next.database.replicaUrls);
      const pair = pairOf(next);
      this.keys.renew(next.jwt);
      if (pair) (this.adapter.httpAdapter.getHttpServer() as TlsServer).setSecureContext(pair);
      this.renewDatabase(next.database.url);
      this.database.replicas?.renew(next.database.replicaUrls);
      if (next.redisUrl !== undefined) this.redis?.renew(next.redisUrl);
      this.logger.log(`The secrets were read anew; the key ${this.keys.first.id} signs.`);
    } catch (error) {
      const reason = error instanceof ConfigError ? error.faults.join('; ') : String(error);
      this.logger.error(`The secrets stay as they are: ${reason}`);
    }
  };

  private renewDatabase(url: string | undefined): void {
    if (url === undefined || url === this.databaseUrl) return;
    this.databaseUrl = url;
    this.database.renew(url);
    this.notifications.renew(url);
  }
}

/** The certificate and its key. @throws Error where one does not fit the other */
function pairOf({ tls }: Config): SecureContextOptions | undefined {
  if (!tls) return undefined;
  const pair = { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
  createSecureContext(pair);
  return pair;
}

/** @throws ConfigError where more than the user and the password differ: that takes a restart */
function assertSameServer(name: string, current: string | undefined, next: string | undefined): void {
  if (placeOf(current) === placeOf(next)) return;
  throw new ConfigError([`${name}: names another server or database, which takes a restart`]);
}

function assertSameReplicas(current: readonly string[], next: readonly string[]): void {
  const name = 'DATABASE_REPLICA_URLS';
  if (current.length !== next.length)
    throw new ConfigError([`${name}: names more or fewer servers, which takes a restart`]);
  for (const [i, url] of current.entries()) assertSameServer(name, url, next[i]);
}

function placeOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  return serversOf(url)
    .map((server) => {
      const { protocol, host, pathname, search } = new URL(server);
      return `${protocol}//${host}${pathname}${search}`;
    })
    .join();
}
