import { Controller, Get, Module, Post } from '@nestjs/common';

import { Public, RequirePermission } from '../../packages/core/src/access/require-permission.decorator.js';
import { useInProcess } from '../support/own-app.js';

/** The routes of an ordinary controller, which declares no access. */
@Controller({ path: 'lessons', version: '1' })
class LessonsController {
  @Get()
  list(): object {
    return { by: this.constructor.name };
  }

  @Post()
  create(): object {
    return { by: this.constructor.name };
  }
}

/** The same routes at another path, one of them public. */
@Controller({ path: 'open-lessons', version: '1' })
class OpenLessonsController extends LessonsController {
  @Get()
  @Public()
  override list(): object {
    return super.list();
  }
}

/** The access that a class declares applies to its routes, unless a route declares its own. */
@Public()
@Controller({ path: 'tales', version: '1' })
class TalesController {
  @Get()
  list(): object {
    return {};
  }

  @Post()
  @RequirePermission('create')
  create(): object {
    return {};
  }
}

@Module({ controllers: [LessonsController, OpenLessonsController, TalesController] })
class InheritingModule {}

describe('a controller that extends another', () => {
  const app = useInProcess({}, undefined, [InheritingModule]);

  it('has the routes of its parent, except those that it overrides', async () => {
    expect((await app.anonymous.get('/api/v1/lessons')).status).toBe(401);
    const viewer = await app.as('viewer');
    expect((await viewer.get('/api/v1/lessons')).body).toEqual({ by: 'LessonsController' });
    expect((await viewer.post('/api/v1/open-lessons', undefined)).status).toBe(403);
    const editor = await app.as('editor');
    expect((await editor.post('/api/v1/open-lessons', undefined)).body).toEqual({
      by: 'OpenLessonsController',
    });
    expect((await app.anonymous.get('/api/v1/open-lessons')).body).toEqual({ by: 'OpenLessonsController' });
  });

  it('applies the access that a class declares to its routes', async () => {
    expect((await app.anonymous.get('/api/v1/tales')).status).toBe(200);
    expect((await app.anonymous.post('/api/v1/tales', undefined)).status).toBe(401);
  });
});
