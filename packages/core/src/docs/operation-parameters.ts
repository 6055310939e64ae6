import { DocumentedOperation, ParameterObject, SchemaObject } from './openapi.js';
import { KINDS_WITH_ENTITY_TAG } from './response-headers.js';

const PARAMETER_PLACES = ['path', 'query', 'header', 'cookie'];

const optionalParameter = (place: string, name: string, description: string): ParameterObject => ({
  name,
  in: place as 'header',
  required: false,
  description,
  // Without an example, because the forms of the docs pages would send it.
  schema: { type: 'string' },
});

const IF_NONE_MATCH = optionalParameter(
  'header',
  'If-None-Match',
  'The ETags of your copies. If one of them is current, the response is 304.',
);
const IF_MODIFIED_SINCE = optionalParameter(
  'header',
  'If-Modified-Since',
  'The Last-Modified of your copy. If the copy is current, the response is 304. Ignored if you send If-None-Match.',
);
/** The cookie is optional in the document, because scripts of browsers can neither read nor send it. */
const COOKIE_DESCRIPTION =
  'Set by `POST /login`. Browsers send it automatically. Other clients send it in the `Cookie` header.';

/** Returns the parameters of an operation, sorted by their place: declared ones, conditional headers and cookies. */
export function buildParameters(documented: DocumentedOperation): ParameterObject[] {
  const { operation, method, policy } = documented;
  const kind = method === 'GET' ? policy.success?.kind : undefined;
  const conditions = KINDS_WITH_ENTITY_TAG.includes(String(kind)) ? [IF_NONE_MATCH] : [];
  if (kind === 'resource') conditions.push(IF_MODIFIED_SINCE);
  const cookies = (policy.readsCookies ?? []).map((name) =>
    optionalParameter('cookie', name, COOKIE_DESCRIPTION),
  );
  const declared = (operation.parameters ?? []) as ParameterObject[];
  for (const parameter of declared) if (parameter.in === 'path') describeId(parameter, documented);
  const all = [...declared, ...conditions, ...cookies];
  return all.sort((a, b) => PARAMETER_PLACES.indexOf(a.in) - PARAMETER_PLACES.indexOf(b.in));
}

/** Describes parameters such as `id` and `orderId`, unless `@ApiParam()` or a DTO already does. */
function describeId(parameter: ParameterObject, { policy, nounFor }: DocumentedOperation): void {
  const { schema = {}, name } = parameter;
  const isOfKey = policy.keyParameters?.includes(name) === true;
  const { type, ...more } = schema as SchemaObject;
  if (!/(^id|Id)$/.test(name) || '$ref' in schema || (Object.keys(more).length > 0 && !isOfKey)) return;
  if (type === 'number' || isOfKey) {
    // Without a maximum, because an integer that is too large for an id gets 404.
    if (policy.resource) parameter.schema = { type: 'integer', minimum: 1 };
    delete parameter.examples;
    parameter.example ??= 42;
  }
  const segments = policy.route?.split('/') ?? [];
  const collection = segments[segments.indexOf(`:${parameter.name}`) - 1] ?? '';
  const noun = nounFor(collection).replace(/^api\b/, 'API');
  parameter.description ??= `The id of the ${noun}.`;
}
