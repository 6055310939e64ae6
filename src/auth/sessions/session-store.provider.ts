import { FactoryProvider } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { Config, Database } from '../../core/index.js';
import { RedisConnection } from '../../core/auth.js';
import { LoginsRepository } from './logins.repository.js';
import { SessionStore } from './session-store.js';
import { CheckedSessions } from './stores/checked-sessions.js';
import { DatabaseSessions } from './stores/database-sessions.js';
import { MemorySessions } from './stores/memory-sessions.js';
import { RedisSessions } from './stores/redis-sessions.js';

/** The store that `SESSION_STORE` names. */
export const sessionStoreProvider: FactoryProvider<SessionStore> = {
  provide: SessionStore,
  inject: [ConfigService, Database, LoginsRepository, { token: RedisConnection, optional: true }],
  useFactory: (
    config: ConfigService<Config, true>,
    database: Database,
    logins: LoginsRepository,
    redis?: RedisConnection,
  ) => {
    const store = config.get('session.store', { infer: true });
    if (store === 'memory') return new CheckedSessions(new MemorySessions(), logins);
    if (store === 'database') return new DatabaseSessions(database);
    if (!redis) throw new Error('SESSION_STORE=redis takes a REDIS_URL');
    return new CheckedSessions(new RedisSessions(redis), logins);
  },
};
