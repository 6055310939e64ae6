import { OpenAPIObject } from './openapi-types.js';

/** Groups of operations, in the order in which the documents show them. */
const ORDER = [
  'Authentication',
  'Products',
  'Reviews',
  'Users',
  'Orders',
  'Order items',
  'Sessions',
  'API keys',
  'Access grants',
  'Health',
];

/** Of those that are no resources, which describe themselves. */
const DESCRIPTIONS: Readonly<Record<string, string | undefined>> = {
  Authentication: 'How a caller gets credentials.',
  Health: 'For whoever runs the service: whether it does.',
};

type Tag = NonNullable<OpenAPIObject['tags']>[number];

/** The tags that operations carry, in order, with their descriptions; those that the order does not name come last. */
export function tagsOf(used: ReadonlyMap<string, string | undefined>): Tag[] {
  const listed = ORDER.filter((name) => used.has(name));
  const others = [...used.keys()].filter((name) => !ORDER.includes(name));
  return [...listed, ...others].map((name) => ({ name, description: DESCRIPTIONS[name] ?? used.get(name) }));
}
