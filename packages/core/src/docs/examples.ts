import { RoutePolicy } from '../http/route-policy.js';
import { OperationMethod } from '../resources/batch/batch-dtos.js';
import { AnySchema, MediaTypeObject, nameIn, Operation, SchemaObject, Schemas } from './openapi.js';

/** When a resource that a PUT or a PATCH shows was changed: after the time that examples show else. */
const CHANGED_AT = '2026-11-20T10:15:00.000Z';

type Values = Readonly<Record<string, unknown>>;

/** Shows the body and the success of an operation by example; pages in both styles. */
export function addExamples({ operation, method, policy }: Operation, schemas: Schemas): void {
  const successes = Object.entries(operation.responses).flatMap(([status, response]) =>
    status.startsWith('2') && response && 'content' in response ? Object.values(response.content ?? {}) : [],
  );
  const [current] = successes.map(({ schema }) => schema && exampleOf(schema, schemas));
  let sent: unknown;
  const { content = {} } = (operation.requestBody ?? {}) as { content?: Record<string, MediaTypeObject> };
  for (const media of Object.values(content)) {
    const whole = media.schema && exampleOf(media.schema, schemas);
    if (media.schema) media.example = method === 'PATCH' ? oneChange(current, whole as Values) : whole;
    sent = media.example;
  }
  const isChange = ['PUT', 'PATCH'].includes(method) && differingFrom(current, sent).length > 0;
  const created = method === 'POST' && policy.resource?.createdExample;
  for (const media of successes) {
    const { schema } = media;
    if (!schema) continue;
    const shown = exampleOf(schema, schemas);
    if (policy.answers?.kind === 'list' && isPage(shown)) {
      const { nextCursor, hasMore, ...byNumber } = shown.pagination;
      media.examples = {
        offset: { summary: 'By number, the default', value: { ...shown, pagination: byNumber } },
        cursor: { summary: 'By cursor', value: { ...shown, pagination: { nextCursor, hasMore } } },
      };
    } else {
      const said = [created, sent, isChange && { updatedAt: CHANGED_AT }];
      const values = said.flatMap((part) => valuesFor(shown, part));
      if (policy.batch) media.example = resultsOf(shown, sent, policy);
      else
        media.example = values.length > 0 ? { ...(shown as Values), ...Object.fromEntries(values) } : shown;
    }
  }
}

const isPage = (value: unknown): value is { pagination: Values } =>
  typeof value === 'object' && value !== null && 'pagination' in value;

/** An example of a value, made of those of its parts. What may be absent and has no example is left out. */
function exampleOf(given: AnySchema, schemas: Schemas): unknown {
  const schema = resolved(given, schemas);
  const { examples, properties, required = [], items, type } = schema;
  const [example = schema.example as unknown] = (examples ?? []) as unknown[];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0] as unknown;
  if (properties) {
    const shown = Object.entries(properties)
      .filter(([name, property]) => required.includes(name) || hasExample(resolved(property, schemas)))
      .map(([name, property]) => [name, exampleOf(property, schemas)] as const);
    return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
  }
  const [part] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
  if (part) return exampleOf(part, schemas);
  if (type === 'array') return partsOf(items).map((item) => exampleOf(item, schemas));
  if (type === 'boolean') return true;
  return type === 'object' ? {} : undefined;
}

/** What items of a list can be. */
const partsOf = (items: AnySchema | undefined): AnySchema[] =>
  items && 'oneOf' in items ? (items.oneOf ?? []) : items ? [items] : [];

/** The results of the operations of a batch. */
function resultsOf(shown: unknown, sent: unknown, { resource, route = '' }: RoutePolicy): Values {
  const { body } = (shown as { results: [{ body: Values }] }).results[0];
  const location = `${route.slice(0, route.lastIndexOf('/'))}/${String(body['id'])}`;
  const changed = (values: Values): Values => ({ ...body, ...Object.fromEntries(valuesFor(body, values)) });
  const { operations } = sent as { operations: { method: OperationMethod; body: Values }[] };
  const results = operations.map(
    ({ method, body: own }) =>
      ({
        create: {
          status: 201,
          etag: '"5f3c1a9e-42-1"',
          location,
          body: changed({ ...resource?.createdExample, ...own }),
        },
        update: { status: 200, etag: '"5f3c1a9e-42-2"', body: changed({ ...own, updatedAt: CHANGED_AT }) },
        delete: { status: 204 },
      })[method],
  );
  return { results };
}

const resolved = (schema: AnySchema, schemas: Schemas): SchemaObject =>
  '$ref' in schema ? resolved(schemas[nameIn(schema.$ref)] ?? {}, schemas) : schema;

const hasExample = ({ example, examples, properties, items }: SchemaObject): boolean =>
  (example ?? examples ?? properties ?? items) !== undefined;

/** A patch shows one change: of the first field that becomes another one, else of the last. */
function oneChange(current: unknown, whole: Values): Values {
  const shown = differingFrom(current, whole)[0] ?? Object.entries(whole).at(-1);
  return Object.fromEntries(shown ? [shown] : []);
}

const differingFrom = (shown: unknown, body: unknown): [string, unknown][] =>
  valuesFor(shown, body).filter(([name, value]) => (shown as Values)[name] !== value);

/** The values of a body that a resource shows. What is a list or an object shows more than was sent. */
function valuesFor(shown: unknown, values: unknown): [string, unknown][] {
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return [];
  return Object.entries(values || {}).filter(
    ([name, value]) => name in shown && (typeof value !== 'object' || value === null),
  );
}
