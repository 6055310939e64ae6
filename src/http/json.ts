import { FastifyReply } from 'fastify';

import { RoutePolicy } from './route-policy.js';

declare module './route-policy.js' {
  interface RoutePolicy {
    /** Whether later responses of the route will probably have the same body, which nobody changes: its JSON is remembered. */
    isLasting?: (body: object) => boolean;
  }
}

const asItIs = (payload: unknown): string => payload as string;

/**
 * Sends JSON that is serialized already. The media type has no parameters: JSON is UTF-8 (RFC 8259 §8.1, §11).
 *
 * @param type where it is another one that ends in `+json`
 */
export function sendJson(reply: FastifyReply, json: string, type = 'application/json'): void {
  // A serializer of the reply's own keeps Fastify from adding a charset to the content type.
  void reply.header('content-type', type).serializer(asItIs).send(json);
}

interface Serialized {
  readonly json: string;
  /** By whose schema; left out: it is the body of one route alone. */
  readonly route?: RoutePolicy | undefined;
}

const serialized = new WeakMap<object, Serialized>();

/**
 * Remembers the JSON of a body that was serialized for its entity tag, so that it is not serialized again to be sent.
 */
export function rememberJson(body: object, json: string): void {
  serialized.set(body, { json });
}

/** The JSON of a body, by the serializer of the route's status unless it is remembered. */
export function jsonOf(body: object, reply: FastifyReply): string {
  const { policy } = reply.request;
  const isUsual = reply.statusCode === 200;
  const known = serialized.get(body);
  if (known && (known.route === undefined || (known.route === policy && isUsual))) return known.json;
  const json = serialize(body, reply);
  if (isUsual && policy?.isLasting?.(body)) serialized.set(body, { json: inOnePiece(json), route: policy });
  return json;
}

/**
 * The JSON of a body, by the serializer of the route's status.
 *
 * @throws Error where the body lacks what the schema of the response requires: a fault of the route
 */
export function serialize(body: unknown, reply: FastifyReply): string {
  return fitting(() => reply.serialize(body) as string);
}

/**
 * A function that makes the JSON of what a schema describes, to be kept: it is one piece of memory, where what
 * serializers return refers to the pieces that it was put together of.
 *
 * @throws Error the function: where the value lacks what the schema requires
 */
export function serializerOf(
  schema: Record<string, unknown>,
  reply: FastifyReply,
): (value: unknown) => string {
  const serializeValue = reply.compileSerializationSchema(schema) as (value: unknown) => string;
  return (value) => fitting(() => inOnePiece(serializeValue(value)));
}

const inOnePiece = (json: string): string => Buffer.from(json).toString();

function fitting(makeJson: () => string): string {
  try {
    return makeJson();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The route returned what does not fit its response: ${reason} @ApiOkResponse({ type }) on the route names another response.`,
      { cause: error },
    );
  }
}
