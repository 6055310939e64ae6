import { NestApplicationOptions, VersioningType } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { RawServerDefault } from 'fastify';

type Adapter = FastifyAdapter;
type AddHook = (name: string, hook: unknown) => unknown;
type Options = ConstructorParameters<typeof FastifyAdapter<RawServerDefault>>;

const OF_REQUESTS: ReadonlySet<string> = new Set(['onRequest', 'onResponse']);

/**
 * Nest's Fastify adapter, but for the hooks that it gives every request: each serves something that applications may
 * switch on, such as `enableCors()`. They are added when the first of these is switched on. Until then they do nothing,
 * and take 3 % of the time of a 304.
 */
export class HooksOnDemandAdapter extends FastifyAdapter {
  // Set while `super()` runs, which fields with initial values would undo.
  declare private addHooks: () => void;
  declare private endOfConstruction: (() => void) | undefined;

  constructor(...options: Options) {
    super(...options);
    this.endOfConstruction?.();
  }

  /** Called by the constructor of Nest's adapter, which adds its hooks next. */
  override setInstance<Server>(instance: Server): void {
    super.setInstance(instance);
    if (this.endOfConstruction) return;
    const server = instance as { addHook: AddHook };
    const { addHook } = server;
    const waiting: Parameters<AddHook>[] = [];
    server.addHook = (name, hook) => {
      if (OF_REQUESTS.has(name)) waiting.push([name, hook]);
      else addHook.call(server, name, hook);
      return server;
    };
    this.endOfConstruction = () => {
      server.addHook = addHook;
    };
    this.addHooks = () => {
      for (const hook of waiting.splice(0)) addHook.apply(server, hook);
    };
  }

  override initHttpServer(options?: NestApplicationOptions): void {
    if (options?.return503OnClosing) this.addHooks();
    super.initHttpServer(options);
  }

  override enableCors(...parameters: Parameters<Adapter['enableCors']>): void {
    this.addHooks();
    super.enableCors(...parameters);
  }

  override registerSecurityHook(...parameters: Parameters<Adapter['registerSecurityHook']>): void {
    this.addHooks();
    super.registerSecurityHook(...parameters);
  }

  override setOnRequestHook(...parameters: Parameters<Adapter['setOnRequestHook']>): void {
    this.addHooks();
    super.setOnRequestHook(...parameters);
  }

  override setOnResponseHook(...parameters: Parameters<Adapter['setOnResponseHook']>): void {
    this.addHooks();
    super.setOnResponseHook(...parameters);
  }

  override createMiddlewareFactory(
    ...parameters: Parameters<Adapter['createMiddlewareFactory']>
  ): ReturnType<Adapter['createMiddlewareFactory']> {
    this.addHooks();
    return super.createMiddlewareFactory(...parameters);
  }

  override applyVersionFilter(
    ...parameters: Parameters<Adapter['applyVersionFilter']>
  ): ReturnType<Adapter['applyVersionFilter']> {
    const [, , { type }] = parameters;
    if (type === VersioningType.CUSTOM) this.addHooks();
    return super.applyVersionFilter(...parameters);
  }
}
