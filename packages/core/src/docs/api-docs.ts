import { readFileSync } from 'node:fs';

import { INestApplication } from '@nestjs/common';
import { FastifyInstance } from 'fastify';

import { PRODUCT } from '../config/product.js';
import { vendorMediaType } from '../http/negotiation/media-types.js';
import { errorCatalogue } from './error-catalogue.js';

/**
 * The texts of the OpenAPI document and its pages that cannot be derived from the code. An application passes them to
 * `PlinthModule.forRoot({ docs })`.
 * @example
 * const DOCS: ApiDocs = {
 *   folder: new URL('../docs/api/', import.meta.url),
 *   license: { name: 'MIT', identifier: 'MIT' },
 *   tags: [{ name: 'Products' }],
 * };
 */
export abstract class ApiDocs {
  /**
   * The folder of the texts. `description.md` is the description of the document. `guides/` contains the guides of
   * `/reference`, which are sorted by file name.
   */
  abstract readonly folder: URL;
  abstract readonly license: { readonly name: string; readonly identifier: string };
  /**
   * The groups of operations, in the order in which pages show them. A tag without a description gets that of its
   * resource.
   */
  abstract readonly tags: readonly { readonly name: string; readonly description?: string }[];
}

/** Functions that return the value of `{{name}}` in the application's texts, by name. */
const PLACEHOLDERS: Readonly<Record<string, (nest: INestApplication) => string>> = {
  clientPackage: () => PRODUCT.clientPackage,
  // The media type of the newest version.
  vendorMediaType: (nest) =>
    vendorMediaType((nest.getHttpAdapter().getInstance() as FastifyInstance).versions.at(-1) ?? 1),
  // Each code has a section of its own, so that links to a code keep working.
  errors: (nest) =>
    errorCatalogue(nest)
      .map(({ code, status, summary }) => `## ${code}\n\n**${status}** ${summary}`)
      .join('\n\n'),
};

/**
 * Reads a text of the application and fills in its placeholders.
 * @param path relative to the folder of `ApiDocs`
 */
export const renderText = (nest: INestApplication, path: string): string =>
  readFileSync(new URL(path, nest.get(ApiDocs, { strict: false }).folder), 'utf8')
    .trim()
    .replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => PLACEHOLDERS[name]?.(nest) ?? placeholder);
