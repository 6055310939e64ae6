import { getSchemaPath, OpenAPIObject } from '@nestjs/swagger';
import { FastifyInstance } from 'fastify';

import { Dto } from '../fields/field.js';
import { nounFinder } from '../resources/nouns.js';
import { DOCUMENT_METHODS, DocumentedOperation, schemaNameIn } from './openapi.js';

/**
 * Returns the operations of the document, each with its policy.
 * @throws Error if an operation has no policy
 */
export function collectOperations(
  document: OpenAPIObject,
  policies: FastifyInstance['policies'],
): DocumentedOperation[] {
  const nounFor = nounFinder(policies.values());
  const byForm = new Map([...policies].map(([route, policy]) => [normalizeRoute(route), policy]));
  return Object.entries(document.paths).flatMap(([path, item]) =>
    DOCUMENT_METHODS.flatMap((name) => {
      const operation = item[name];
      if (!operation) return [];
      const method = name.toUpperCase();
      const policy = byForm.get(`${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`);
      if (!policy) throw new Error(`the server has no route for ${method} ${path} of the document`);
      return { operation, method, path, policy, nounFor };
    }),
  );
}

/** Replaces parameters and wildcards of a Fastify path by `{}`, because Swagger names them differently. */
const normalizeRoute = (route: string): string =>
  route
    .replaceAll('::', '\0')
    .replaceAll(/:\w+|\*/g, '{}')
    .replaceAll('\0', ':');

/** @throws Error if two response DTOs get the same schema name, such as `PartDto` of version 2 and `PartV2Dto` */
export function assertUniqueNames(operations: readonly Pick<DocumentedOperation, 'policy'>[]): void {
  const shown = new Map<string, Dto>();
  for (const { type } of operations.flatMap(({ policy }) => policy.rowResponse ?? [])) {
    const name = schemaNameIn(getSchemaPath(type)).replace(/Dto$/, '');
    const other = shown.get(name) ?? type;
    if (other !== type)
      throw new Error(`${other.name} and ${type.name} both get the schema name ${name}: rename one of them`);
    shown.set(name, type);
  }
}

/**
 * Makes the operation ids unique. Appends `V2` and so on to the ids of versions other than the default, and `AtRoot` to
 * an id that is already taken, which happens for routes without a version.
 */
export function nameOperations(
  operations: readonly DocumentedOperation[],
  defaultVersion: number | undefined,
): void {
  const taken = new Set<string>();
  for (const { operation, policy } of operations) {
    const { apiVersion = defaultVersion } = policy;
    const name = `${operation.operationId ?? ''}${apiVersion === defaultVersion ? '' : `V${apiVersion}`}`;
    operation.operationId = taken.has(name) ? `${name}AtRoot` : name;
    taken.add(operation.operationId);
  }
}
