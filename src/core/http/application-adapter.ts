import { FastifyAdapter } from '@nestjs/platform-fastify';

/**
 * Nest's Fastify adapter. Unknown paths and errors of hooks are answered by `registerUnmatched()` and
 * `registerErrorHandling()`, not by Nest, whose handlers would turn them into errors of its own.
 */
export class ApplicationAdapter extends FastifyAdapter {
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance();
  }
}
