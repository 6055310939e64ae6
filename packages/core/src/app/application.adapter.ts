import { FastifyAdapter } from '@nestjs/platform-fastify';
import { FastifyReply, FastifyRequest } from 'fastify';

/**
 * NestJS's Fastify adapter, with three differences: the pipeline decides when middleware runs, `registerUnmatchedRoutes()`
 * responds to unknown paths, and `ApiExceptionFilter` responds to errors of hooks.
 */
export class ApplicationAdapter extends FastifyAdapter {
  /** `NestFactory` calls this too early: middleware would run before every hook. The pipeline calls `initMiddleware()`. */
  override init(): Promise<void> {
    return Promise.resolve();
  }

  /** Lets the middleware of modules run at this place in the order of hooks. */
  initMiddleware(): Promise<void> {
    return super.init();
  }

  /** Sends the stream of the route itself, even if an interceptor wrapped it in an object or copied it. */
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
