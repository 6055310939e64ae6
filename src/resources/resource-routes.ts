import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { EntityMetadata } from 'typeorm';

import { Database } from '../database/database.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { resourceOf } from './resource.js';
import { Constraint } from './route-defaults.js';
import { ControllerClass, DeclaredRoute, routesOf } from './route-declaration.js';
import { defineRoute } from './route-definition.js';

/**
 * Completes the routes of all `@Resource()` controllers with what follows from their resource. It runs once for each
 * application, after its modules are loaded and before its routes are registered.
 */
@Injectable()
export class ResourceRoutes {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly store: IdempotencyStore,
    private readonly database: Database,
  ) {}

  /** @throws Error at start for a route that contradicts itself, naming class and method */
  complete(): void {
    const routes: DeclaredRoute[] = [];
    for (const { metatype } of this.discovery.getControllers()) {
      const controller = metatype as ControllerClass | null;
      if (!controller || !resourceOf(controller)) continue;
      routes.push(...routesOf(controller, this.scanner.getAllMethodNames(controller.prototype)));
    }
    // Only when all are known: what is written for a class is inherited by others.
    const { store, database } = this;
    for (const route of routes) {
      const constraints = constraintsOf(database.metadataOf(route.resource.entity));
      defineRoute(route, { store, database, constraints });
    }
  }
}

/** The constraints of a table as TypeORM knows them. */
function constraintsOf({
  uniques,
  indices,
  foreignKeys,
  checks,
  columns: all,
}: EntityMetadata): Constraint[] {
  const withColumns = [...uniques, ...indices, ...foreignKeys].map(({ name, columns }) => ({
    name,
    // Of an index on an expression it knows the name alone.
    properties: columns.length > 0 ? columns.map(({ propertyName }) => propertyName) : undefined,
  }));
  const checked = checks.map(({ name, expression }) => ({
    name,
    properties: all
      .filter(({ databaseName }) => new RegExp(`\\b${databaseName}\\b`).test(expression))
      .map(({ propertyName }) => propertyName),
  }));
  return [...withColumns, ...checked];
}
