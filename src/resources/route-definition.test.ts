import 'reflect-metadata';

import { Body, Get, HttpCode, NestInterceptor, Post, Put, UseInterceptors } from '@nestjs/common';
import { HTTP_CODE_METADATA, INTERCEPTORS_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiCreatedResponse, ApiOperation } from '@nestjs/swagger';

import { RequirePermission } from '../access/require-permission.decorator.js';
import { BodyOf, PickOf } from '../fields/derive.js';
import { Id, Text } from '../fields/fields.js';
import { CATALOGUE, NO_STORE, Cached } from '../http/caching/cache-policy.js';
import { defineError } from '../http/errors/catalogue.js';
import { policyOf, RoutePolicy } from '../http/route-policy.js';
import { defineList } from '../lists/list-definition.js';
import { ListQuery } from '../lists/list-parameters.decorator.js';
import { Preconditions } from './preconditions.decorator.js';
import { PathId } from './path-id.decorator.js';
import { Resource, ResourceDefinition, resourceOf } from './resource.js';
import { routesOf } from './route-declaration.js';
import { defineRoute } from './route-definition.js';
import { Parameters } from './route-parameters.js';
import { Transaction } from './transaction.decorator.js';

class Lamp {
  @Id({ readOnly: true })
  id: number;

  @Text({ max: 20 })
  name: string;

  @Text({ max: 20, nullable: true })
  colour: string | null;
}

class LampDto extends PickOf(Lamp, ['id', 'name']) {}
class LampBodyDto extends BodyOf(LampDto, ['name']) {}
class LampV2Dto extends PickOf(Lamp, ['id', 'name', 'colour']) {}
class LampBodyV2Dto extends BodyOf(LampV2Dto, ['name', 'colour']) {}

const LAMPS: ResourceDefinition<Lamp> = {
  path: 'lamps',
  entity: Lamp,
  notFound: defineError(404, 'LAMP_NOT_FOUND', 'There is no such lamp.'),
  list: defineList(Lamp, { name: 'lamps' }),
  cache: CATALOGUE,
};

@Resource({ ...LAMPS, version: '1', of: LampDto })
class LampsController {
  @Get()
  list(@ListQuery() query: ListQuery): unknown {
    return query;
  }

  @Get(':id')
  get(@PathId() id: number): unknown {
    return { id };
  }

  @Post()
  create(@Body() body: LampBodyDto): unknown {
    return body;
  }

  @Put(':id')
  replace(
    @PathId() id: number,
    @Body() body: LampBodyDto,
    @Preconditions() preconditions: Preconditions,
  ): unknown {
    return { id, ...body, preconditions };
  }
}

@Resource({ ...LAMPS, version: '2', of: LampV2Dto, cache: NO_STORE })
class LampsV2Controller extends LampsController {
  @Post()
  override create(@Body() body: LampBodyV2Dto): unknown {
    return super.create(body);
  }
}

type Class = new () => object;

function define(...controllers: Class[]): void {
  const services = { store: {} as never, database: {} as never, constraints: [] };
  const routes = controllers.flatMap((controller) => {
    const names = new Set<string>();
    for (
      let type = controller.prototype as object;
      type !== Object.prototype;
      type = Object.getPrototypeOf(type) as object
    )
      for (const name of Object.getOwnPropertyNames(type)) if (name !== 'constructor') names.add(name);
    return routesOf(controller, [...names]);
  });
  for (const route of routes) defineRoute(route, services);
}

const methodOf = (controller: Class, name: string): object =>
  (controller.prototype as Record<string, object>)[name]!;
const policy = (controller: Class, name: string): RoutePolicy => policyOf(methodOf(controller, name));
const interceptors = (controller: Class, name: string): unknown[] =>
  (Reflect.getMetadata(INTERCEPTORS_METADATA, methodOf(controller, name)) ?? []) as unknown[];
describe('routes of a resource', () => {
  // Twice: tests make several applications in one process.
  beforeAll(() => {
    define(LampsController, LampsV2Controller);
    define(LampsV2Controller, LampsController);
  });

  it('have no interceptors but those that they are given, and take the reply behind their own parameters', () => {
    for (const controller of [LampsController, LampsV2Controller]) {
      for (const name of ['list', 'get', 'create', 'replace'])
        expect(interceptors(controller, name)).toEqual([]);
      const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, 'replace') as Parameters;
      expect(parameters[`${RouteParamtypes.RESPONSE}:3`]).toEqual({ index: 3, pipes: [] });
      expect(Object.keys(parameters)).toHaveLength(4);
    }
  });

  it('that are inherited have the policy of the class that inherits them', () => {
    expect(policy(LampsController, 'get').cache).toBe(CATALOGUE);
    expect(policy(LampsV2Controller, 'get').cache).toBe(NO_STORE);
    const representations = [LampsController, LampsV2Controller].map(
      (controller) => policy(controller, 'get').representation,
    );
    expect(new Set(representations).size).toBe(2);
    expect(methodOf(LampsV2Controller, 'get')).not.toBe(methodOf(LampsController, 'get'));
  });

  it('call the method that was written, once, by super as well', () => {
    const body = { name: 'Oak', colour: null };
    expect(new LampsV2Controller().create(body)).toBe(body);
    expect(new LampsV2Controller().get(7)).toEqual({ id: 7 });
  });

  it('say what their parameters do', () => {
    expect(policy(LampsV2Controller, 'list')).toMatchObject({ list: LAMPS.list, judgesRows: true });
    expect(policy(LampsV2Controller, 'replace')).toMatchObject({ isConditional: true, takesBody: true });
    expect(policy(LampsV2Controller, 'create')).toMatchObject({ isIdempotent: true, takesBody: true });
  });
});

describe('decorators on a route', () => {
  class ReceiptDto extends PickOf(Lamp, ['id']) {}
  const outer: NestInterceptor = { intercept: (_, next) => next.handle() };

  @Resource({ ...LAMPS, version: '1', of: LampDto })
  class OwnController {
    @Post(':id/light')
    @HttpCode(200)
    @ApiOperation({ summary: 'Light a lamp', description: 'It shines.' })
    @RequirePermission('update')
    @Cached(NO_STORE)
    @UseInterceptors(outer)
    light(): unknown {
      return undefined;
    }

    @Post()
    @ApiOperation({ description: 'It is dark.' })
    @ApiCreatedResponse({ type: ReceiptDto })
    create(@Body() body: LampBodyDto): unknown {
      return body;
    }

    notARoute(): string {
      return 'called by the others';
    }
  }

  beforeAll(() => {
    define(OwnController);
  });

  it('go before what follows from the resource', () => {
    const light = methodOf(OwnController, 'light');
    expect(policy(OwnController, 'light')).toMatchObject({
      access: { permission: 'update' },
      cache: NO_STORE,
      answers: { status: 200 },
    });
    expect(Reflect.getMetadata(HTTP_CODE_METADATA, light)).toBe(200);
    expect(Reflect.getMetadata('swagger/apiOperation', light)).toEqual({
      summary: 'Light a lamp',
      description: 'It shines.',
    });
    expect(Reflect.getMetadata('swagger/apiOperation', methodOf(OwnController, 'create'))).toEqual({
      summary: 'Create a lamp',
      description: 'It is dark.',
    });
  });

  it('keep their interceptors', () => {
    expect(interceptors(OwnController, 'light')).toEqual([outer]);
  });

  it('say what a route shows: its documentation and its serializer are the same', () => {
    const schema = Reflect.getMetadata('__fastify_route_schema__', methodOf(OwnController, 'create')) as {
      response: Record<string, { properties: object }>;
    };
    expect(Object.keys(schema.response['201']!.properties)).toEqual(['id']);
  });

  it('are not needed on methods that are no routes', () => {
    expect(new OwnController().notARoute()).toBe('called by the others');
    expect(policy(OwnController, 'notARoute')).toEqual({});
  });
});

describe('what contradicts itself is refused at start', () => {
  it('an override without its @Put()', () => {
    @Resource({ ...LAMPS, version: '3', of: LampDto })
    class ForgetfulController extends LampsController {
      override replace(id: number): unknown {
        return id;
      }
    }
    expect(() => {
      define(ForgetfulController);
    }).toThrow('ForgetfulController.replace overrides a route, but has no @Get(), @Post(), @Put()');
  });

  it('a body whose class is not known at run time', () => {
    interface LampInterface {
      name: string;
    }
    @Resource({ ...LAMPS, version: '3', of: LampDto })
    class UntypedController {
      @Post()
      create(@Body() body: LampInterface): unknown {
        return body;
      }
    }
    @Resource({ ...LAMPS, version: '3', of: LampDto })
    class ManyController {
      @Post()
      create(@Body() body: LampBodyDto[]): unknown {
        return body;
      }
    }
    for (const controller of [UntypedController, ManyController]) {
      expect(() => {
        define(controller);
      }).toThrow(`${controller.name}.create: the type of @Body() is no class at run time`);
    }
  });

  it('a list of a resource without one', () => {
    @Resource({ ...LAMPS, list: undefined, version: '3', of: LampDto })
    class ListlessController {
      @Get()
      list(@ListQuery() query: ListQuery): unknown {
        return query;
      }
    }
    expect(resourceOf(ListlessController)?.list).toBeUndefined();
    expect(() => {
      define(ListlessController);
    }).toThrow('ListlessController.list lists a resource that declares no list');
  });

  it('a transaction on a route that is no POST', () => {
    @Resource({ ...LAMPS, version: '3', of: LampDto })
    class HastyController {
      @Put(':id')
      replace(@Transaction() tx: Transaction): unknown {
        return tx;
      }
    }
    expect(() => {
      define(HastyController);
    }).toThrow('HastyController.replace: only POST runs in a transaction');
  });
});
