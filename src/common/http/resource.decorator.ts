import { applyDecorators, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { representationOf } from '#src/common/caching/representation.js';
import { Dto } from '#src/common/validation/field.js';

import { routePolicy } from './route-policy.js';

/**
 * A controller of the routes of one resource under `/api/v<version>`.
 *
 * @param of what a GET of one answers: entity tags tell its representation from that of another version
 * @example @Resource({ path: 'products', version: '1', of: ProductDto })
 */
export function Resource(options: { path: string; version: string | string[]; of: Dto }): ClassDecorator {
  const { path, version, of } = options;
  const representation = representationOf(of);
  const ofRepresentation: ClassDecorator = (controller) => {
    const prototype = (controller as { prototype: object }).prototype;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
      if (name !== 'constructor') routePolicy({ representation })(prototype, name, descriptor);
    }
  };
  const collection = path.split('/').at(-1) ?? path;
  const tag = collection.charAt(0).toUpperCase() + collection.slice(1).replaceAll('-', ' ');
  return applyDecorators(Controller({ path, version }), ApiTags(tag), ofRepresentation);
}
