import { applyDecorators, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { representationOf } from '#src/common/caching/representation.js';
import { Dto } from '#src/common/validation/field.js';

import { routePolicy } from './route-policy.js';

/**
 * A controller of the routes of one resource under `/api/v<version>`.
 *
 * @param of what a GET of one answers: entity tags tell its representation from that of another version
 * @param collection the documentation's name for it, where the last word of the path is not it
 * @example @Resource({ path: 'products', version: '1', of: ProductDto })
 */
export function Resource(options: {
  path: string;
  version: string | string[];
  of: Dto;
  collection?: string;
}): ClassDecorator {
  const { path, version, of } = options;
  const collection = options.collection ?? lastWordOf(path);
  const representation = representationOf(of);
  const ofRepresentation: ClassDecorator = (controller) => {
    const prototype = (controller as { prototype: object }).prototype;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
      if (name !== 'constructor') routePolicy({ representation })(prototype, name, descriptor);
    }
  };
  const tag = collection.charAt(0).toUpperCase() + collection.slice(1).replaceAll('-', ' ');
  return applyDecorators(Controller({ path, version }), ApiTags(tag), ofRepresentation);
}

const lastWordOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
