import { PipeTransform } from '@nestjs/common';

import { PayloadShape, readBody } from '../fields/read-payload.js';

/**
 * The pipe of `@Body()` on a route of a resource: the body as an instance of its class, valid and with its defaults.
 *
 * @throws ApiError `INVALID_JSON`, `VALIDATION_FAILED` or `UNPROCESSABLE_ENTITY`
 */
export class BodyPipe implements PipeTransform<unknown, object> {
  constructor(private readonly shape: PayloadShape) {}

  transform(body: unknown): object | Promise<object> {
    return readBody(body, this.shape);
  }
}
