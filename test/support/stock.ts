import { Module, ModuleMetadata, ValidationPipe, VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * Starts the same modules on stock NestJS with Fastify and a strict `ValidationPipe`, to compare its
 * responses with those of the service.
 * @returns the base URL, which is known once the tests run
 */
export function useStock(imports: NonNullable<ModuleMetadata['imports']>): () => string {
  let app: NestFastifyApplication;
  let baseUrl = '';
  beforeAll(async () => {
    @Module({ imports })
    class StockModule {}
    app = await NestFactory.create(StockModule, new FastifyAdapter(), { logger: false, abortOnError: false });
    app.enableVersioning({ type: VersioningType.URI, prefix: 'api/v' });
    app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
    await app.listen(0, '127.0.0.1');
    baseUrl = await app.getUrl();
  });
  afterAll(() => app.close());
  return () => baseUrl;
}
