import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DataSource } from 'typeorm';

import { Queue, ProcessorMetadata } from './processor.decorator.js';
import { queueMigrations } from './queue-migration.js';
import { WorkerHost } from './worker-host.js';

type Provider = ReturnType<DiscoveryService['getProviders']>[number];

interface DeclaredQueue {
  readonly queue: Queue;
  readonly provider: Provider;
}

/**
 * Finds the queues of the application, which are its classes with `@Processor()`, and adds a migration for each of
 * them.
 * @throws Error if a class cannot process a queue
 */
@Injectable()
export class JobQueues {
  private readonly declared = new Map<string, DeclaredQueue>();

  constructor(discovery: DiscoveryService, dataSource: DataSource) {
    const decorated = discovery.getProviders({ metadataKey: ProcessorMetadata.KEY });
    for (const provider of decorated) this.declare(provider, discovery);
    const bare = discovery.getProviders().find((each) => isWorkerHost(each) && !decorated.includes(each));
    if (bare) throw new Error(`${bare.name} extends WorkerHost, so it must have @Processor()`);
    for (const { queue } of this.declared.values()) this.assertDeadLetter(queue);
    for (const Migration of queueMigrations(this.names)) dataSource.migrations.push(new Migration());
  }

  get names(): string[] {
    return [...this.declared.keys()].sort();
  }

  /**
   * Returns each queue with the object that runs its jobs. Call it after all providers have been created.
   * @throws Error if a class is request-scoped
   */
  hosts(): { readonly queue: Queue; readonly host: WorkerHost }[] {
    return [...this.declared.values()].map(({ queue, provider }) => {
      if (!provider.isDependencyTreeStatic())
        throw new Error(`@Processor('${queue.name}'): ${provider.name} must not be request-scoped`);
      return { queue, host: provider.instance as WorkerHost };
    });
  }

  /** @throws Error if no class processes the queue */
  get(name: string): Queue {
    const { queue } = this.declared.get(name) ?? {};
    if (!queue)
      throw new Error(
        `a queue must have a class with @Processor() (got '${name}'; the queues are ${this.names.join(', ')})`,
      );
    return queue;
  }

  private declare(provider: Provider, discovery: DiscoveryService): void {
    const queue = discovery.getMetadataByDecorator(ProcessorMetadata, provider);
    if (!queue) return;
    if (!isWorkerHost(provider))
      throw new Error(`@Processor('${queue.name}'): ${String(provider.name)} must extend WorkerHost`);
    const other = this.declared.get(queue.name)?.provider;
    if (other && other.metatype !== provider.metatype)
      throw new Error(
        `@Processor('${queue.name}'): only one class may process a queue (got ${String(other.name)} and ${String(provider.name)})`,
      );
    this.declared.set(queue.name, { queue, provider });
  }

  private assertDeadLetter({ name, deadLetter }: Queue): void {
    if (deadLetter !== undefined && !this.declared.has(deadLetter))
      throw new Error(
        `@Processor('${name}'): deadLetter must be a queue with a class with @Processor() (got '${deadLetter}')`,
      );
  }
}

const isWorkerHost = ({ metatype }: Provider): boolean =>
  (metatype as { prototype?: unknown } | null)?.prototype instanceof WorkerHost;
