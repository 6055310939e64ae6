import { RoutePolicy } from '../http/route-policy.js';
import '../resources/resource.js';
import { singularOf } from '../resources/words.js';
import { OperationObject, ParameterObject } from './components.js';

const ORDER = ['path', 'query', 'header', 'cookie'];

// Without examples: forms made of the document would send them.
const condition = (name: string, description: string): ParameterObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

const IF_NONE_MATCH = condition(
  'If-None-Match',
  'ETags of the copies that you have: 304 if one of them is current.',
);
const IF_MODIFIED_SINCE = condition(
  'If-Modified-Since',
  'Last-Modified of the copy that you have: 304 if it is current. Ignored beside If-None-Match.',
);

/**
 * Scripts of browsers can neither read nor send it: a required one would make clients ask for what they cannot have.
 */
const cookieParameter = (name: string): ParameterObject => ({
  name,
  in: 'cookie',
  required: false,
  description:
    'Set by `POST /login` for browsers, which send it by themselves. Other clients send it as a `Cookie`.',
  schema: { type: 'string' },
});

/** Completes the parameters of an operation, and puts them in order: path, query, headers, cookies. */
export function documentParameters(operation: OperationObject, method: string, policy: RoutePolicy): void {
  const declared = (operation.parameters ?? []) as ParameterObject[];
  const kind = method === 'GET' ? policy.answers?.kind : undefined;
  const conditions = {
    resource: [IF_NONE_MATCH, IF_MODIFIED_SINCE],
    list: [IF_NONE_MATCH],
    object: [],
    nothing: [],
  };
  const cookies = (policy.readsCookies ?? []).map(cookieParameter);
  const parameters = [...declared, ...(kind ? conditions[kind] : []), ...cookies];
  for (const parameter of parameters) {
    if (parameter.in === 'path') {
      if (policy.resource) typeId(parameter);
      describeId(parameter, policy.route ?? '');
    }
    if (parameter.in === 'query' && policy.list) describePaging(parameter);
  }
  operation.parameters = parameters.sort((a, b) => ORDER.indexOf(a.in) - ORDER.indexOf(b.in));
}

/** The paths of resources hold ids: numbers, or UUIDs. */
function typeId(parameter: ParameterObject): void {
  const { schema } = parameter;
  const isNumber = schema !== undefined && 'type' in schema && schema.type === 'number';
  parameter.schema = isNumber ? { type: 'integer', minimum: 1 } : { type: 'string', format: 'uuid' };
  parameter.example = isNumber ? 42 : '0197d3a0-7c1e-7b2a-9d4f-3b1c5e6f7a8b';
}

/** An id of the path is the one of what the segment before it collects. */
function describeId(parameter: ParameterObject, route: string): void {
  const segments = route.split('/');
  const collection = segments[segments.indexOf(`:${parameter.name}`) - 1] ?? '';
  const noun = singularOf(collection)
    .replaceAll('-', ' ')
    .replace(/^api\b/, 'API');
  parameter.description ??= `The id of the ${noun}.`;
  if (parameter.schema && !('$ref' in parameter.schema)) parameter.schema.format ??= 'int64';
  parameter.example ??= 42;
}

/** Adjusts parameters so that forms generated from the document can request either style of paging. */
function describePaging(parameter: ParameterObject): void {
  // An empty one starts a walk.
  if (parameter.name === 'cursor') parameter.allowEmptyValue = true;
  // Forms send defaults; `page` goes with no `cursor`.
  if (parameter.name === 'page' && parameter.schema && 'default' in parameter.schema) {
    delete parameter.schema.default;
    parameter.description = `${parameter.description ?? ''} The default is the first page.`;
  }
}
