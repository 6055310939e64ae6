import { readFileSync } from 'node:fs';

import { PRODUCT } from '../config/product.js';
import { errorCatalogue } from '../http/errors/catalogue.js';
import { vendorMediaType } from '../http/negotiation/negotiate.js';

/** The guides beside the reference, in their order: pages of Markdown in `guides/`. */
const GUIDES = [
  'getting-started',
  'authentication',
  'errors',
  'paging',
  'caching-and-concurrency',
  'idempotency',
  'versions',
  'limits',
  'typescript-client',
];

/** The guides as one text of Markdown, a first-level heading each; of errors a section by code: anchors are stable. */
export function guides(): string {
  const errors = errorCatalogue().map(
    ({ code, status, summary }) => `## ${code}\n\n**${status}** ${summary}`,
  );
  const values: Readonly<Record<string, string | undefined>> = {
    product: PRODUCT.name,
    clientPackage: PRODUCT.clientPackage,
    vendorMediaType: vendorMediaType(2),
    exampleOrigin: 'https://api.example.com',
    errors: errors.join('\n\n'),
  };
  const texts = GUIDES.map((name) =>
    readFileSync(new URL(`./guides/${name}.md`, import.meta.url), 'utf8').trim(),
  );
  return texts
    .join('\n\n')
    .replaceAll(/\{\{(\w+)\}\}/g, (placeholder, key: string) => values[key] ?? placeholder);
}
