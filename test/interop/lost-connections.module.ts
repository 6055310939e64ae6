import { Controller, Get, Module, Param } from '@nestjs/common';
import { DataSource, EntityManager, QueryRunner } from 'typeorm';

import { Product } from '../../src/products/product.entity.js';

/** The ways to use the connection of a transaction that the documentation of TypeORM shows. */
const USES: Readonly<Record<string, (manager: EntityManager) => Promise<unknown>>> = {
  query: (manager) => manager.query('select 1 as used'),
  find: (manager) => manager.findBy(Product, { id: 1 }),
  repository: (manager) => manager.getRepository(Product).count(),
  save: (manager) => manager.save(Product, { name: 'A', description: 'B', price: 1, category: 'C' }),
  insert: (manager) => manager.insert(Product, { name: 'A', description: 'B', price: 1, category: 'C' }),
  update: (manager) => manager.update(Product, { id: 1 }, { name: 'A' }),
  delete: (manager) => manager.delete(Product, { id: 1 }),
  builder: (manager) => manager.createQueryBuilder(Product, 'p').take(1).getMany(),
  nested: (manager) => manager.transaction((inner) => inner.query('select 1 as used')),
};

export const USE_NAMES = Object.keys(USES);

@Controller({ path: 'losses', version: '1' })
class LossesController {
  constructor(private readonly dataSource: DataSource) {}

  @Get('transaction/:use')
  transaction(@Param('use') use: string): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await USES[use]?.(manager);
    });
  }

  @Get('idle/:use')
  idle(@Param('use') use: string): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await this.loseConnectionOf(manager);
      await USES[use]?.(manager);
    });
  }

  @Get('idle-runner/:use')
  idleRunner(@Param('use') use: string): Promise<void> {
    return this.byRunner(async ({ manager }) => {
      await this.loseConnectionOf(manager);
      await USES[use]?.(manager);
    });
  }

  @Get('runner/:use')
  runner(@Param('use') use: string): Promise<void> {
    return this.byRunner(({ manager }) => USES[use]!(manager));
  }

  @Get('none/:use')
  async none(@Param('use') use: string): Promise<void> {
    await USES[use]?.(this.dataSource.manager);
  }

  private async byRunner(work: (runner: QueryRunner) => Promise<unknown>): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.connect();
      await runner.startTransaction();
      await work(runner);
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** Ends a session that is idle in a transaction, as an administrator or a restart of the server does. */
  private async loseConnectionOf(manager: EntityManager): Promise<void> {
    const [row] = await manager.query<{ pid: number }[]>('select pg_backend_pid() as pid');
    await this.dataSource.query('select pg_terminate_backend($1)', [row?.pid]);
    while (!manager.queryRunner?.isReleased) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

@Module({ controllers: [LossesController] })
export class LossesModule {}
