import { INestApplication } from '@nestjs/common';
import { FastifyInstance } from 'fastify';

import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { BASE_ERRORS, byStatusAndCode } from './error-responses.js';

/**
 * Returns all errors of an application, sorted by status and code: the errors of the base, of authentication schemes,
 * of routes and of resources.
 * @throws Error if two errors share a code but differ in status or summary
 */
export function errorCatalogue(nest: INestApplication): ErrorType[] {
  const { policies } = nest.getHttpAdapter().getInstance() as FastifyInstance;
  const ofRoutes = [...policies.values()].flatMap(({ errors = [], resource }) =>
    [errors, resource?.notFound ?? [], Object.values(resource?.constraints ?? {})].flat(),
  );
  const ofSchemes = nest.get(AuthSchemes, { strict: false }).all.flatMap(({ errors }) => errors);
  const catalogue = new Map<string, ErrorType>();
  for (const error of [...BASE_ERRORS, ...ofSchemes, ...ofRoutes]) {
    const known = catalogue.get(error.code) ?? error;
    const [one, other] = [known, error].map(({ status, summary }) => `${status} "${summary}"`);
    if (one !== other) throw new Error(`error code ${error.code} means two things: ${one} and ${other}`);
    catalogue.set(error.code, known);
  }
  return [...catalogue.values()].sort(byStatusAndCode);
}
