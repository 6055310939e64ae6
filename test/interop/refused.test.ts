import {
  Body,
  applyDecorators,
  Controller,
  Get,
  Injectable,
  Module,
  ModuleMetadata,
  Param,
  Patch,
  Post,
  Scope,
  Type as Class,
  UseGuards,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportStrategy } from '@nestjs/passport';
import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { WebSocketGateway } from '@nestjs/websockets';
import { ApiError, ApiErrorResponse, defineErrors } from '@plinth/core';
import { Expose, Type } from 'class-transformer';
import { IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';

import { INVALID_API_KEY } from '../../packages/core/src/access/access.errors.js';
import { Public } from '../../packages/core/src/access/require-permission.decorator.js';
import { AuthScheme, AuthSchemeOptions } from '../../packages/core/src/access/schemes/auth-schemes.js';
import { CredentialStrategy } from '../../packages/core/src/access/schemes/credential.strategy.js';
import { PickOf } from '../../packages/core/src/fields/derive.js';
import { ParseIdPipe } from '../../packages/core/src/fields/parse-id.pipe.js';
import { Resource } from '../../packages/core/src/resources/resource.decorator.js';
import { SingleStatement, Transaction } from '../../packages/core/src/resources/write.decorators.js';
import { Supplier } from '../../packages/core/test/examples/suppliers/supplier.entity.js';
import { SUPPLIERS } from '../../packages/core/test/examples/suppliers/supplier.resource.js';
import { SuppliersController } from '../../packages/core/test/examples/suppliers/suppliers.controller.js';
import {
  TAGGED_PRODUCTS,
  TaggedProductDto,
} from '../../packages/core/test/examples/tagged-products/tagged-product.resource.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { startInProcess } from '../support/own-app.js';

const schemeOf = (changes: Partial<AuthSchemeOptions>, scope = Scope.DEFAULT): Class => {
  const openapi = { type: 'apiKey', in: 'header', name: 'X-Odd' } as const;
  const options = { name: 'odd', header: 'X-Odd', order: 60, errors: [INVALID_API_KEY], openapi, ...changes };

  @Injectable({ scope })
  @AuthScheme(options as AuthSchemeOptions)
  class OddStrategy extends PassportStrategy(CredentialStrategy, 'odd') {
    constructor() {
      super(() => null);
    }

    validate(): null {
      return null;
    }
  }
  return OddStrategy;
};

const decoratedBy = (...decorators: MethodDecorator[]): ModuleMetadata => {
  @Controller({ path: 'odd', version: '1' })
  class OddController {
    @Get()
    @Public()
    @applyDecorators(...decorators)
    get(): object {
      return {};
    }
  }
  return { controllers: [OddController] };
};

const throttledBy = (options: Parameters<typeof Throttle>[0]): ModuleMetadata =>
  decoratedBy(Throttle(options));

/** A controller whose only route answers LAMP_BROKEN. */
function brokenLamp(path: string, status: number): Class {
  const { LAMP_BROKEN } = defineErrors({ LAMP_BROKEN: [status, `It says ${status}.`] });
  @Controller({ path, version: '1' })
  class LampController {
    @Get()
    @Public()
    @ApiErrorResponse(LAMP_BROKEN)
    get(): never {
      throw new ApiError(LAMP_BROKEN);
    }
  }
  return LampController;
}

const takes = (Dto: Class): ModuleMetadata => {
  @Controller('odd')
  class OddController {
    create(body: unknown): unknown {
      return body;
    }
  }
  const { prototype } = OddController;
  Reflect.defineMetadata('design:paramtypes', [Dto], prototype, 'create');
  Body()(prototype, 'create', 0);
  Post()(prototype, 'create', Object.getOwnPropertyDescriptor(prototype, 'create')!);
  return { controllers: [OddController] };
};

const gatewayOf = (decorate: ClassDecorator): ModuleMetadata => {
  class LooseGateway {
    readonly isLoose = true;
  }
  decorate(LooseGateway);
  return { providers: [LooseGateway] };
};

class Inner {
  @IsString()
  text: string;
}

class UncheckedDto {
  @IsOptional()
  @Type(() => Inner)
  inner?: Inner;
}

class UntypedDto {
  @ValidateNested({ each: true })
  items: Inner[];
}

class OuterDto {
  @ValidateNested({ each: true })
  @Type(() => UncheckedDto)
  all: UncheckedDto[];
}

class UncheckedItemsDto {
  @IsArray()
  @Type(() => Inner)
  items: Inner[];
}

class TwiceDto {
  @Expose({ name: 'text' })
  @IsString()
  words: string;

  @IsString()
  text: string;
}

describe('a start with a declaration that would be ignored or contradicts another one', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  it.each<[RegExp | string, () => ModuleMetadata]>([
    [
      /must decorate a PassportStrategy class of the default scope/,
      () => ({ providers: [schemeOf({}, Scope.REQUEST)] }),
    ],
    [
      'OddController.get: @Throttle() default.limit must be a whole number of at least 1 (got 0)',
      () => throttledBy({ default: { limit: 0, ttl: 1000 } }),
    ],
    [
      'OddController.get: @Throttle() must be given numbers (got a function)',
      () => throttledBy({ default: { limit: () => 3, ttl: 1000 } }),
    ],
    [
      'OddController.get: @Throttle() must be given numbers (got a function)',
      () => throttledBy({ default: { limit: 3, ttl: 1000, getTracker: () => 'all' } }),
    ],
    [
      `OddController.get: no throttler is called 'short' (there are default)`,
      () => throttledBy({ short: { limit: 1, ttl: 1000 } }),
    ],
    [
      `OddController.get: no throttler is called 'short' (there are default)`,
      () => decoratedBy(SkipThrottle({ short: true })),
    ],
    [
      'OddController.get: ThrottlerGuard would count requests twice',
      () => decoratedBy(UseGuards(ThrottlerGuard)),
    ],
    [
      'APP_GUARD: ThrottlerGuard would count requests twice',
      () => ({ providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }] }),
    ],
    [
      'ThrottlerModule.forRoot() must not be imported',
      () => ({ imports: [ThrottlerModule.forRoot([{ limit: 1, ttl: 1000 }])] }),
    ],
    [
      'UncheckedDto.inner: the rules of Inner are not checked; add @ValidateNested()',
      () => takes(UncheckedDto),
    ],
    ['UntypedDto.items: @ValidateNested() needs @Type(() => Class)', () => takes(UntypedDto)],
    ['UncheckedDto.inner: the rules of Inner are not checked', () => takes(OuterDto)],
    ['UncheckedItemsDto.items: the rules of Inner are not checked', () => takes(UncheckedItemsDto)],
    ['TwiceDto.words: another property is also named text', () => takes(TwiceDto)],
    ['must not have a port (got 8080)', () => gatewayOf(WebSocketGateway(8080, { path: '/x' }))],
    ['@WebSocketGateway() must have a path', () => gatewayOf(WebSocketGateway())],
    [
      'error code LAMP_BROKEN means two things: 409 "It says 409." and 410 "It says 410."',
      () => ({ controllers: [brokenLamp('desk', 409), brokenLamp('wall', 410)] }),
    ],
  ])('fails with %s', async (message, parts) => {
    @Module(parts())
    class OddModule {}
    const shared = { ...database, drop: () => Promise.resolve() };
    await expect(startInProcess({ DOCS: 'false' }, shared, [OddModule])).rejects.toThrow(message);
  });
});

it('two applications in one process may give one error code two meanings', async () => {
  const start = (status: number) => {
    @Module({ controllers: [brokenLamp('lamps', status)] })
    class LampModule {}
    return startInProcess({}, undefined, [LampModule]);
  };
  const apps = [[409, await start(409)] as const, [410, await start(410)] as const];
  for (const [status, { anonymous, baseUrl, stop }] of apps) {
    expect((await anonymous.get('/api/v1/lamps')).status).toBe(status);
    const reference = await (await fetch(`${baseUrl}/reference/v1.json`)).text();
    expect(reference).toContain(`## LAMP_BROKEN\\n\\n**${status}** It says ${status}.`);
    await stop();
  }
});

@Controller({ path: 'lessons', version: '1' })
class LessonsController {
  @Get()
  list(): object {
    return {};
  }
}

it('a key with an id that is not in the path of its route is refused', async () => {
  class LessonKey extends PickOf(Supplier, ['id']) {}

  @Public()
  @Controller({ path: 'lessons/:lessonId', version: '1' })
  class KeyedLessonsController {
    @Get()
    get(@Param() key: LessonKey): object {
      return key;
    }
  }
  @Module({ controllers: [KeyedLessonsController] })
  class KeyedLessonsModule {}

  await expect(startInProcess({}, undefined, [KeyedLessonsModule])).rejects.toThrow(
    "/api/v1/lessons/:lessonId: the key of the route names the path parameter 'id', which is missing",
  );
});

describe('a declaration that cannot take effect', () => {
  const supplierV1 = {
    ...SUPPLIERS,
    version: '1',
    responseDto: class ShortSupplierDto extends PickOf(Supplier, ['id', 'name']) {},
  };

  it.each<[string, () => unknown]>([
    [
      'OldSuppliersController inherits the route list() from a controller of another resource: declare it in this class',
      () => {
        @Resource({ ...supplierV1, path: 'old-suppliers' })
        class OldSuppliersController extends SuppliersController {}
        return OldSuppliersController;
      },
    ],
    [
      'FormerSuppliersController inherits the route list() from a controller of another resource: declare it in this class',
      () => {
        @Resource(supplierV1)
        class FormerSuppliersController extends LessonsController {}
        return FormerSuppliersController;
      },
    ],
    [
      'ForgetfulController.list overrides a route, but has no @Get()',
      () => {
        @Resource(supplierV1)
        class ForgetfulController extends LessonsController {
          override list(): object {
            return {};
          }
        }
        return ForgetfulController;
      },
    ],
    [
      'UnsafeController.create: a POST must have @Transaction() or @SingleStatement(), so that clients can repeat it',
      () => {
        @Resource(supplierV1)
        class UnsafeController {
          @Post()
          create(): object {
            return {};
          }
        }
        return UnsafeController;
      },
    ],
    [
      'HastyController.patch: @Transaction() and @SingleStatement() are only for POST',
      () => {
        @Resource(supplierV1)
        class HastyController {
          @Patch(':id')
          patch(@Param('id', ParseIdPipe) id: number, @Transaction() tx: Transaction): object {
            return { id, tx };
          }
        }
        return HastyController;
      },
    ],
    [
      'EagerController.create: @SingleStatement() must not be used if the entity has computed fields, which a second ' +
        'statement reads (got TaggedProduct.tagCount): use @Transaction()',
      () => {
        @Resource({ ...TAGGED_PRODUCTS, version: '2', responseDto: TaggedProductDto })
        class EagerController {
          @Post()
          create(@SingleStatement() db: Transaction): object {
            return { db };
          }
        }
        return EagerController;
      },
    ],
  ])('is refused with %s', (message, declare) => {
    expect(declare).toThrow(message);
  });
});
