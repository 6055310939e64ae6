import { FastifyAdapter } from '@nestjs/platform-fastify';
import { FastifyReply, FastifyRequest } from 'fastify';

/**
 * NestJS's Fastify adapter, with four differences:
 * - The pipeline decides when middleware runs.
 * - The stream that a route returns is sent, even if an interceptor wraps it.
 * - `registerUnmatchedRoutes()` responds to unknown paths.
 * - `ApiExceptionFilter` responds to errors of hooks.
 */
export class ApplicationAdapter extends FastifyAdapter {
  /**
   * Does nothing, because `NestFactory` calls this method too early: middleware would run before all hooks. The
   * pipeline calls `initMiddleware()` instead.
   */
  override init(): Promise<void> {
    return Promise.resolve();
  }

  /** Registers the middleware of modules. It runs after the hooks that have been registered so far. */
  initMiddleware(): Promise<void> {
    return super.init();
  }

  /** Sends the stream of the route itself, even if an interceptor has wrapped it in an object, or copied it. */
  override reply(response: FastifyReply, body: unknown, statusCode?: number): FastifyReply {
    const { id, routeFile } = (response.request as FastifyRequest | undefined) ?? {};
    const parts: unknown[] =
      routeFile && typeof body === 'object' && body ? [body, ...(Object.values(body) as unknown[])] : [];
    const isSent = parts.some((part) => (part as { fileOf?: unknown } | null | undefined)?.fileOf === id);
    return super.reply(response, isSent ? routeFile : body, statusCode);
  }

  /** Does nothing: `createApp()` sets the error handler. */
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }

  /** Does nothing: `registerUnmatchedRoutes()` sets the handler. */
  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance();
  }
}

// Libraries such as nestjs-cls recognize the platform by the name of this class.
Object.defineProperty(ApplicationAdapter, 'name', { value: FastifyAdapter.name });
