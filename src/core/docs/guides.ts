import { readFileSync } from 'node:fs';

import { PRODUCT } from '../config/product.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { vendorMediaType } from '../http/negotiation/negotiate.js';

/** The origin of the service in the guides; the page of the reference shows its own in its place. */
export const EXAMPLE_ORIGIN = 'https://api.example.com';

/** The guides beside the reference, in their order: pages of Markdown in `guides/`. */
export const GUIDES = [
  'getting-started',
  'authentication',
  'errors',
  'paging',
  'caching-and-concurrency',
  'idempotency',
  'versions',
  'limits',
  'typescript-client',
] as const;

/** The guides as one text of Markdown, a first-level heading each. */
export function guidesOf(errors: readonly ErrorType[]): string {
  const values: Readonly<Record<string, string | undefined>> = {
    product: PRODUCT.name,
    clientPackage: PRODUCT.clientPackage,
    vendorMediaType: vendorMediaType(2),
    exampleOrigin: EXAMPLE_ORIGIN,
    errors: errorSections(errors),
  };
  return GUIDES.map((name) => textOf(name, values)).join('\n\n');
}

function textOf(name: string, values: Readonly<Record<string, string | undefined>>): string {
  const text = readFileSync(new URL(`./guides/${name}.md`, import.meta.url), 'utf8');
  return text.trim().replaceAll(/\{\{(\w+)\}\}/g, (placeholder, key: string) => values[key] ?? placeholder);
}

/** A section for each code: when it is answered. The heading is the code, so that anchors are stable. */
export function errorSections(errors: readonly ErrorType[]): string {
  return errors.map(({ code, status, summary }) => `## ${code}\n\n**${status}** ${summary}`).join('\n\n');
}
