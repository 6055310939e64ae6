import {
  Controller,
  ForbiddenException,
  Get,
  Injectable,
  MiddlewareConsumer,
  Module,
  NestMiddleware,
  NestModule,
  Post,
  Query,
  Req,
  RequestMethod,
} from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ClsModule, ClsService } from 'nestjs-cls';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Raw = FastifyRequest['raw'] & { trail?: string[] };
type RawResponse = FastifyReply['raw'];
type Next = (error?: unknown) => void;

const pass = (name: string, request: Raw, response: RawResponse, next: Next): void => {
  request.trail = [...(request.trail ?? []), name];
  response.setHeader('x-trail', request.trail.join(' '));
  next();
};

export function everywhere(request: Raw, response: RawResponse, next: Next): void {
  pass('everywhere', request, response, next);
}

@Injectable()
export class StampsService {
  readonly name = 'class';
}

@Injectable()
class ClassMiddleware implements NestMiddleware {
  constructor(private readonly stamps: StampsService) {}

  use(request: Raw, response: RawResponse, next: Next): void {
    pass(this.stamps.name, request, response, next);
  }
}

@Injectable()
class AsyncMiddleware implements NestMiddleware {
  async use(request: Raw, response: RawResponse, next: Next): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    pass('async', request, response, next);
  }
}

/** Ends the response, passes an error or rejects, as the query says. */
@Injectable()
class FailingMiddleware implements NestMiddleware {
  async use(request: Raw, response: RawResponse, next: Next): Promise<void> {
    if (request.url?.includes('end')) {
      response.statusCode = 203;
      response.end('ended');
      return;
    }
    await Promise.resolve();
    if (request.url?.includes('forbid')) throw new ForbiddenException('Not on Sundays.');
    if (request.url?.includes('fail')) throw new Error('a bug of a middleware');
    if (request.url?.includes('next')) next(new ForbiddenException('Not on Mondays.'));
    else next();
  }
}

/** The id of nestjs-cls, except for requests that are compared with those of another process. */
const identified = ({ headers }: FastifyRequest, cls: ClsService): object =>
  'x-compared' in headers ? { hasId: typeof cls.getId() } : { id: cls.getId() };

@Controller({ path: 'stamps', version: '1' })
class StampsController {
  constructor(private readonly cls: ClsService) {}

  @Get()
  @ApiOkResponse()
  list(@Req() request: FastifyRequest): object {
    return { trail: (request.raw as Raw).trail, ...identified(request, this.cls) };
  }

  @Get('excluded')
  excluded(@Req() request: FastifyRequest): object {
    return { trail: (request.raw as Raw).trail };
  }

  @Get('failing')
  failing(@Req() request: FastifyRequest, @Query() _how: object): object {
    return { trail: (request.raw as Raw).trail };
  }

  @Get(':id')
  get(@Req() request: FastifyRequest, @Query('a') a?: string): object {
    return { trail: (request.raw as Raw).trail, url: request.url, a };
  }

  @Post()
  create(@Req() request: FastifyRequest): object {
    return { trail: (request.raw as Raw).trail, body: request.body, ...identified(request, this.cls) };
  }
}

@Controller('labels')
class LabelsController {
  @Get()
  list(@Req() request: FastifyRequest): object {
    return { trail: (request.raw as Raw).trail };
  }
}

@Module({
  imports: [ClsModule.forRoot({ middleware: { mount: true, generateId: true } })],
  controllers: [StampsController, LabelsController],
  providers: [StampsService],
})
export class StampsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(everywhere).forRoutes('*splat');
    consumer
      .apply(ClassMiddleware)
      .exclude({ path: 'stamps/excluded', method: RequestMethod.GET, version: '1' })
      .forRoutes(StampsController);
    consumer
      .apply(AsyncMiddleware)
      .forRoutes({ path: 'stamps', method: RequestMethod.POST, version: '1' }, 'labels');
    consumer
      .apply(FailingMiddleware)
      .forRoutes({ path: 'stamps/failing', method: RequestMethod.ALL, version: '1' });
    consumer
      .apply((request: Raw, response: RawResponse, next: Next) => {
        pass('word', request, response, next);
      })
      .forRoutes({ path: 'stamps/*word', method: RequestMethod.GET, version: '1' });
  }
}
