import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { FastifyRequest } from 'fastify';

import { Dto } from '../fields/field.js';
import { PayloadShape, readPayload } from '../fields/read-payload.js';
import { routePolicy } from '../http/route-policy.js';

const read = createParamDecorator((shape: PayloadShape, context: ExecutionContext) =>
  readPayload(context.switchToHttp().getRequest<FastifyRequest>().body, shape),
);

/**
 * The body of the request as an instance of `dto`, valid and with its defaults.
 *
 * @param representation what a GET of the resource answers: its other fields may be sent back, and are ignored
 * @throws ApiError `INVALID_JSON`, `VALIDATION_FAILED` or `UNPROCESSABLE_ENTITY`
 * @example create(@Payload(CreateProductDto, ProductDto) body: CreateProductDto) { … }
 */
export function Payload(dto: Dto, representation?: Dto): ParameterDecorator {
  return (target, method, index) => {
    if (method === undefined) throw new Error('@Payload() belongs on a parameter of a route');
    read({ dto, representation })(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    ApiBody({ type: dto })(target, method, descriptor);
    routePolicy({ takesBody: true })(target, method, descriptor);
  };
}
