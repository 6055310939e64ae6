import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { FastifyRequest } from 'fastify';

import {
  taggedResource,
  preconditionsOf,
  type Preconditions as Checked,
} from '../http/caching/preconditions.js';
import { routePolicy } from '../http/route-policy.js';

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /** The route writes on the conditions of `If-Match`, `If-None-Match` and `If-Unmodified-Since`. */
    isConditional?: boolean;
  }
}

const read = createParamDecorator((_: undefined, context: ExecutionContext): Checked => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const resource = taggedResource(request.policy?.representation ?? '', idOfPath(request));
  return preconditionsOf(request.raw.headers, resource);
});

function idOfPath({ params }: FastifyRequest): number | string {
  const text = Object.values(params as Record<string, string>).at(-1) ?? '';
  return /^\d+$/.test(text) ? Number(text) : text.toLowerCase();
}

/** The preconditions of a write to the row that the path's last parameter names, checked by the statement itself. */
export function Preconditions(): ParameterDecorator {
  return (target, method, index) => {
    if (method === undefined) throw new Error('@Preconditions() belongs on a parameter of a route');
    read(undefined)(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    routePolicy({ isConditional: true })(target, method, descriptor);
    for (const header of HEADERS) ApiHeader(header)(target, method, descriptor);
  };
}
export type Preconditions = Checked;

const HEADERS = [
  {
    name: 'If-Match',
    required: false,
    description: 'Write only if the ETag is still one of these; else 412.',
    schema: { type: 'string' as const },
  },
  {
    name: 'If-None-Match',
    required: false,
    description: 'Write only if the ETag is none of these; else 412.',
    schema: { type: 'string' as const },
  },
  {
    name: 'If-Unmodified-Since',
    required: false,
    description: 'Write only if Last-Modified is not later than this; else 412. Ignored beside If-Match.',
    schema: { type: 'string' as const },
  },
];
