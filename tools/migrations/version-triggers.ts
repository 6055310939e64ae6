import { DataSource, EntityMetadata } from 'typeorm';

import {
  createVersionTrigger,
  dropVersionTrigger,
  versionTrigger,
} from '../../src/core/database/version-trigger.js';
import { VersionedEntity } from '../../src/core/resources/resource.entity.js';
import { Statements } from './statements.js';

const TRIGGERS = `select tgname as name from pg_trigger where not tgisinternal`;

/** Whether the rows of an entity have versions. */
export const isResource = ({ target }: EntityMetadata): boolean =>
  typeof target === 'function' && target.prototype instanceof VersionedEntity;

/** Statements that create the version triggers of resources' tables that have none yet. */
export async function missingVersionTriggers(dataSource: DataSource): Promise<Statements> {
  const there = new Set((await dataSource.query<{ name: string }[]>(TRIGGERS)).map(({ name }) => name));
  const tables = dataSource.entityMetadatas
    .filter(isResource)
    .map(({ tableName }) => tableName)
    .filter((table) => !there.has(versionTrigger(table)));
  return { up: tables.map(createVersionTrigger), down: tables.map(dropVersionTrigger).toReversed() };
}
