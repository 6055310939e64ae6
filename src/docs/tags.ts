import { OpenAPIObject } from './openapi-types.js';

/** The groups of operations, in the order in which the documents show them. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Authentication: 'How a caller gets credentials.',
  Products: 'The product catalogue.',
  Reviews: 'What users say of products.',
  Users: 'Customer accounts.',
  Orders: 'What users bought.',
  'Order items': 'The lines of orders.',
  Sessions: 'Where a user is logged in.',
  'API keys': 'Credentials for programs.',
  'Access grants': 'Exceptions to what a role may do.',
  Health: 'For whoever runs the service: whether it does.',
};

type Tag = NonNullable<OpenAPIObject['tags']>[number];

/** The tags that operations carry, described, in order; those that nobody described come last. */
export function tagsOf(used: ReadonlySet<string>): Tag[] {
  const described = Object.keys(DESCRIPTIONS).filter((name) => used.has(name));
  const others = [...used].filter((name) => !Object.hasOwn(DESCRIPTIONS, name));
  return [...described, ...others].map((name) => ({ name, description: DESCRIPTIONS[name] }));
}
