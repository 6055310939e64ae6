import { FastifyReply } from 'fastify';

import { RoutePolicy } from './route-policy.js';

declare module './route-policy.js' {
  interface RoutePolicy {
    /** Whether later responses will probably have the same body, which nobody changes. Its JSON is then remembered. */
    isLasting?: (body: object) => boolean;
  }
}

const asItIs = (payload: unknown): string => payload as string;

/**
 * Sends JSON text. The media type has no parameters: JSON is UTF-8 (RFC 8259 §8.1, §11).
 *
 * @param type `application/json`, or a type that ends in `+json`
 */
export function sendJson(reply: FastifyReply, json: string, type = 'application/json'): void {
  // A serializer of the reply's own keeps Fastify from adding a charset to the content type.
  void reply.header('content-type', type).serializer(asItIs).send(json);
}

interface Remembered {
  readonly json: string;
  /** The route whose schema the JSON follows; left out: no other route shows the body. */
  readonly route?: RoutePolicy | undefined;
  /** The reply's own serializer when it was remembered. */
  readonly own?: Serializer | undefined;
}

const remembered = new WeakMap<object, Remembered>();

/**
 * Remembers the JSON of a body that was serialized for its entity tag, so that it is not serialized again to be sent,
 * unless the reply gets another serializer meanwhile.
 *
 * @param body belongs to one route: another route would send the same JSON, whatever its schema
 */
export function rememberJson(body: object, json: string, reply: FastifyReply): void {
  remembered.set(body, { json, own: ownSerializerOf(reply) });
}

type Serializer = (payload: unknown) => string;

/** How Fastify names the property of a reply that holds its own serializer; it exports no other way to ask for it. */
const OWN_SERIALIZER = 'fastify.reply.serializer';
let ownSerializer: symbol | undefined;

/**
 * The serializer of a reply's own, as an interceptor gives it one by `reply.serializer()`: the JSON that it makes is
 * for this caller, and is not shared with others.
 *
 * @throws Error if replies have no such property, so that no JSON is shared by mistake
 */
export function ownSerializerOf(reply: FastifyReply): Serializer | undefined {
  ownSerializer ??= Object.getOwnPropertySymbols(reply).find((own) => own.description === OWN_SERIALIZER);
  if (ownSerializer === undefined) throw new Error(`This version of Fastify has no ${OWN_SERIALIZER}.`);
  return (reply as unknown as Readonly<Record<symbol, Serializer | null>>)[ownSerializer] ?? undefined;
}

/** The JSON of a body: remembered, or made by the serializer of the reply or of the route's status. */
export function jsonOf(body: object, reply: FastifyReply): string {
  const { policy } = reply.request;
  const own = ownSerializerOf(reply);
  const isUsual = reply.statusCode === 200 && own === undefined;
  const known = remembered.get(body);
  if (known && known.own === own && (known.route === undefined || (known.route === policy && isUsual)))
    return known.json;
  const json = serialize(body, reply);
  if (isUsual && policy?.isLasting?.(body)) remembered.set(body, { json: inOnePiece(json), route: policy });
  return json;
}

/**
 * Makes the JSON of a body by the serializer of the reply, or of the route's status.
 *
 * @throws Error if the body lacks what the schema of the response requires, which is a fault of the route
 */
export function serialize(body: unknown, reply: FastifyReply): string {
  return fitting(() => reply.serialize(body) as string);
}

/**
 * Makes a function that serializes what a schema describes, into JSON that is worth keeping: it is one piece of memory,
 * whereas the texts that serializers return refer to the pieces that they were joined from.
 *
 * @returns a function that throws an Error if its value lacks what the schema requires
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
