import { getSchemaPath, OpenAPIObject } from '@nestjs/swagger';
import { FastifyInstance } from 'fastify';

import { Dto, fieldsOf } from '../fields/field.js';
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

/**
 * @throws Error if two response DTOs get the same schema name: `PartDto` of version 2 and `PartV2Dto`, or one DTO that a
 * version shows with `etag`, and another version without
 */
export function assertUniqueNames(operations: readonly Pick<DocumentedOperation, 'policy' | 'path'>[]): void {
  const shown = new Map<string, { type: Dto; where: string }>();
  for (const { policy, path } of operations) {
    const type = policy.rowResponse?.type;
    if (!type) continue;
    const name = schemaNameIn(getSchemaPath(type)).replace(/Dto$/, '');
    const where = `${policy.handler} at ${path}`;
    const other = shown.get(name);
    if (!other) shown.set(name, { type, where });
    else if (other.type !== type) throw new Error(nameFault(name, other, { type, where }));
  }
}

function nameFault(name: string, ...uses: readonly { type: Dto; where: string }[]): string {
  const tagged = uses.find(({ type }) => fieldsOf(type).has('etag'));
  const plain = uses.find(({ type }) => tagged?.type.prototype instanceof type);
  if (!tagged || !plain) {
    const classes = uses.map(({ type, where }) => `${type.name} of ${where}`).join(' and ');
    return `${classes} both get the schema name ${name}: rename one of them`;
  }
  return (
    `${tagged.where} shows ${plain.type.name} with etag, and ${plain.where} without, but both get the schema name ` +
    `${name}: give the DTO a name that does not end in a version, or respond with a subclass in one of them`
  );
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
