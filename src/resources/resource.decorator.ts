import { applyDecorators, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Dto } from '../fields/field.js';
import { policyOf, RoutePolicy, routePolicy } from '../http/route-policy.js';
import { representationOf } from './representation.js';

/**
 * A controller of the routes of one resource under `/api/v<version>`.
 *
 * @param options.of what a GET of one answers: entity tags tell its representation from that of another version
 * @param options.policy what holds for all its routes, unless one says otherwise
 * @param options.collection the documentation's name for it, where the last word of the path is not it
 * @example @Resource({ path: 'products', version: '1', of: ProductDto })
 */
export function Resource(options: {
  path: string;
  version: string | string[];
  of: Dto;
  policy?: RoutePolicy;
  collection?: string;
}): ClassDecorator {
  const { path, version, of, policy } = options;
  const collection = options.collection ?? lastWordOf(path);
  const representation = representationOf(of);
  const ofRepresentation: ClassDecorator = (controller) => {
    const prototype = (controller as { prototype: object }).prototype;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
      if (name !== 'constructor') {
        const own = policyOf(descriptor.value as object);
        routePolicy({ representation, ...policy, ...own })(prototype, name, descriptor);
      }
    }
  };
  const tag = collection.charAt(0).toUpperCase() + collection.slice(1).replaceAll('-', ' ');
  return applyDecorators(Controller({ path, version }), ApiTags(tag), ofRepresentation);
}

const lastWordOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
