import { Type, ValidationPipe, VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';

/** The outcome of a request: whether the application accepted it, and the body of a success. */
export interface Outcome {
  readonly isTaken: boolean;
  readonly shown: unknown;
}

export interface StockNest {
  request(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Outcome>;
  stop(): Promise<void>;
}

/**
 * Starts modules on NestJS as its documentation shows: with Fastify, and a `ValidationPipe` that refuses
 * unknown fields.
 */
export async function startStockNest(module: Type): Promise<StockNest> {
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    logger: false,
  });
  app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return {
    stop: () => app.close(),
    request: async (method, url, payload) => {
      const answer = await app.inject({
        method,
        url,
        ...(payload !== undefined && { payload: payload as object }),
      });
      const isTaken = answer.statusCode < 300;
      return { isTaken, shown: isTaken ? answer.json() : undefined };
    },
  };
}
