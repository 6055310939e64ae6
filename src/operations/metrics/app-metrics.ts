import { INestApplication } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { AUTHENTICATION_REQUIRED } from '../../access/authentication.errors.js';
import { AuthSchemes } from '../../access/schemes/auth-schemes.js';
import { Database } from '../../database/database.js';
import { Notifications } from '../../database/notifications.js';
import { ErrorType } from '../../http/errors/catalogue.js';
import { CounterStorage } from '../../http/rate-limit/counter-storage.js';
import { RequestMetrics } from '../../http/request-metrics.js';
import { Connections } from '../../http/server/connections.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { OTHER } from '../../telemetry/labelled.js';
import { Overload } from '../overload.js';
import { notificationMetrics, poolMetrics } from './database-metrics.js';
import { loadMetrics, requestMetrics } from './http-metrics.js';
import { Metrics } from './metrics.js';
import { OpenSessions, rateLimitMetrics, redisMetrics, sessionMetrics } from './store-metrics.js';

interface Measured {
  readonly nest: INestApplication;
  readonly connections: Connections;
  readonly overload: Overload;
  readonly requests: RequestMetrics;
  readonly sessions: OpenSessions;
  /** Whether one is configured. */
  readonly hasRedis: boolean;
}

/** The metrics of an application whose modules are loaded. */
export function appMetrics(measured: Measured): Metrics {
  const { nest, connections, overload, requests, sessions, hasRedis } = measured;
  const notifications = nest.get(Notifications, { strict: false });
  requests.schemeOf = schemeOf(nest.get(AuthSchemes, { strict: false }));
  return new Metrics([
    ...requestMetrics(requests),
    ...loadMetrics(connections, overload),
    ...poolMetrics(nest.get(Database, { strict: false })),
    ...notificationMetrics(notifications),
    ...rateLimitMetrics(nest.get(CounterStorage, { strict: false })),
    ...sessionMetrics(sessions),
    ...(hasRedis ? redisMetrics(nest.get(RedisConnection, { strict: false })) : []),
  ]);
}

/** The scheme that a 401 is about: `none` where no credential was sent, `login` where one is being asked for. */
function schemeOf(schemes: AuthSchemes): RequestMetrics['schemeOf'] {
  return (type: ErrorType, request?: FastifyRequest): string => {
    if (request?.policy?.access?.isPublic) return 'login';
    if (type === AUTHENTICATION_REQUIRED) return 'none';
    return schemes.all.find(({ errors }) => errors.includes(type))?.name ?? OTHER;
  };
}
