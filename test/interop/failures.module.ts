import {
  ArgumentsHost,
  Catch,
  Controller,
  ExceptionFilter,
  Get,
  HttpException,
  Injectable,
  InternalServerErrorException,
  Module,
  Param,
  Scope,
  UseFilters,
} from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { HealthCheck, HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import jwt from 'jsonwebtoken';
import { firstValueFrom, NEVER, timeout } from 'rxjs';
import { DataSource } from 'typeorm';

/** The errors that routes throw, by the names in their paths, and what the log must contain about each. */
export const THROWN: Readonly<Record<string, readonly [() => unknown, string]>> = {
  text: [() => 'the printer is on fire', 'the printer is on fire'],
  object: [() => ({ reason: 'paper is missing' }), 'paper is missing'],
  'object-with-message': [() => ({ message: 'ink is missing' }), 'ink is missing'],
  number: [() => 4711, '4711'],
  timeout: [() => firstValueFrom(NEVER.pipe(timeout(1))), 'Timeout has occurred'],
  token: [() => Promise.resolve().then(() => jwt.verify('x', 'secret')), 'jwt malformed'],
  cause: [
    () => new InternalServerErrorException('broken', { cause: new Error('the root of it') }),
    'the root of it',
  ],
};

class PrinterError extends Error {}
class InstanceError extends PrinterError {}
class MethodError extends PrinterError {}
class ScopedError extends PrinterError {}
class GlobalError extends PrinterError {}

const rejecting = async (): Promise<never> => {
  await Promise.resolve();
  throw new Error('the filter is broken');
};

@Catch(MethodError)
class MethodFilter implements ExceptionFilter {
  catch(): Promise<void> {
    return rejecting();
  }
}

@Catch(InstanceError)
class InstanceFilter implements ExceptionFilter {
  catch(): Promise<void> {
    return rejecting();
  }
}

@Catch(ScopedError)
@Injectable({ scope: Scope.REQUEST })
class ScopedFilter implements ExceptionFilter {
  catch(): Promise<void> {
    return rejecting();
  }
}

@Catch(GlobalError)
class GlobalFilter implements ExceptionFilter {
  catch(): Promise<void> {
    return rejecting();
  }
}

/** Answers after a while. */
@Catch(HttpException)
class AnsweringFilter implements ExceptionFilter {
  async catch(error: HttpException, host: ArgumentsHost): Promise<void> {
    await Promise.resolve();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    await reply.status(error.getStatus()).send({ said: error.message });
  }
}

const ERRORS = { method: MethodError, instance: InstanceError, scoped: ScopedError, global: GlobalError };

@Controller({ path: 'printers', version: '1' })
class PrintersController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  @Get('thrown/:name')
  async thrown(@Param('name') name: string): Promise<never> {
    throw await THROWN[name]?.[0]();
  }

  @Get('filtered/:name')
  @UseFilters(MethodFilter, new InstanceFilter(), ScopedFilter)
  filtered(@Param('name') name: keyof typeof ERRORS): never {
    throw new ERRORS[name]();
  }

  @Get('answered')
  @UseFilters(AnsweringFilter)
  answered(): never {
    throw new HttpException('by a filter', 418);
  }

  @Get('lost')
  lost(): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query('select pg_terminate_backend(pg_backend_pid())');
    });
  }

  @Get('lost-later')
  lostLater(): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
      await manager.query('select 1');
    });
  }

  @Get('lost-before-commit')
  lostBeforeCommit(): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    });
  }

  @Get('lost-in-runner')
  async lostInRunner(): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query('select pg_terminate_backend(pg_backend_pid())');
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    } finally {
      await runner.release();
    }
  }

  @Get('health')
  @HealthCheck()
  check(): Promise<unknown> {
    const ink = this.indicators.check('ink');
    const paper = this.indicators.check('paper');
    return this.health.check([() => ink.down('10.0.0.7 does not answer'), () => paper.up()]);
  }
}

@Module({
  imports: [TerminusModule],
  controllers: [PrintersController],
  providers: [{ provide: APP_FILTER, useClass: GlobalFilter }],
})
export class PrintersModule {}
