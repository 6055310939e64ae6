import { readFileSync } from 'node:fs';

import { INestApplication } from '@nestjs/common';
import { FastifyInstance } from 'fastify';

import { PRODUCT } from '../config/product.js';
import { vendorMediaType } from '../http/negotiation/media-types.js';
import { errorCatalogue } from './error-catalogue.js';

/**
 * The texts of the OpenAPI document and its pages that do not follow from the code. An application passes them to
 * `PlinthModule.forRoot({ docs })`.
 * @example
 * const DOCS: ApiDocs = {
 *   folder: new URL('../docs/api/', import.meta.url),
 *   license: { name: 'MIT', identifier: 'MIT' },
 *   tags: [{ name: 'Products' }],
 * };
 */
export abstract class ApiDocs {
  /** Holds `description.md`, the description of the document, and `guides/`, the pages of `/reference` in the order of their names. */
  abstract readonly folder: URL;
  abstract readonly license: { readonly name: string; readonly identifier: string };
  /** The groups of operations, in the order in which pages show them. A resource brings its own description. */
  abstract readonly tags: readonly { readonly name: string; readonly description?: string }[];
}

/** The values of `{{name}}` in the application's texts. */
const PLACEHOLDERS: Readonly<Record<string, (nest: INestApplication) => string>> = {
  clientPackage: () => PRODUCT.clientPackage,
  // The media type of the newest version.
  vendorMediaType: (nest) =>
    vendorMediaType((nest.getHttpAdapter().getInstance() as FastifyInstance).versions.at(-1) ?? 1),
  // One section per code, so that links to a code keep working.
  errors: (nest) =>
    errorCatalogue(nest)
      .map(({ code, status, summary }) => `## ${code}\n\n**${status}** ${summary}`)
      .join('\n\n'),
};

/** Reads a text of the application and fills in its placeholders. @param path relative to the folder of `ApiDocs` */
export const renderText = (nest: INestApplication, path: string): string =>
  readFileSync(new URL(path, nest.get(ApiDocs, { strict: false }).folder), 'utf8')
    .trim()
    .replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => PLACEHOLDERS[name]?.(nest) ?? placeholder);
