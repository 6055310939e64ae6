import { PipeTransform } from '@nestjs/common';

import { PayloadShape, readPayload } from '../fields/read-payload.js';

/** Bodies that were read before the handler runs, by what was parsed. */
const read = new WeakMap<object, object>();

/**
 * The pipe of `@Body()` on a route of a resource: the body as an instance of its class, valid and with its defaults.
 *
 * @throws ApiError `INVALID_JSON`, `VALIDATION_FAILED` or `UNPROCESSABLE_ENTITY`
 */
export class BodyPipe implements PipeTransform<unknown, object> {
  constructor(private readonly shape: PayloadShape) {}

  transform(body: unknown): object {
    return read.get(body as object) ?? readPayload(body, this.shape);
  }

  /** Reads a body ahead of the handler, which gets it as it is then, however often it runs. */
  readAhead(body: unknown): void {
    const payload = readPayload(body, this.shape);
    read.set(body as object, payload);
  }
}
