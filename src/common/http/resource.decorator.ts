import { applyDecorators, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { representationOf } from '#src/common/caching/representation.js';
import { Dto } from '#src/common/validation/field.js';

import { policyOf, RoutePolicy, routePolicy } from './route-policy.js';

/**
 * A controller of the routes of one resource under `/api/v<version>`.
 *
 * @param options.of what a GET of one answers: entity tags tell its representation from that of another version
 * @param options.policy what holds for all its routes, unless one says otherwise
 * @example @Resource({ path: 'products', version: '1', of: ProductDto })
 */
export function Resource(options: {
  path: string;
  version: string | string[];
  of: Dto;
  policy?: RoutePolicy;
}): ClassDecorator {
  const { path, version, of, policy } = options;
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
  const tag = path.charAt(0).toUpperCase() + path.slice(1).replaceAll('-', ' ');
  return applyDecorators(Controller({ path, version }), ApiTags(tag), ofRepresentation);
}
