import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Type } from '@nestjs/common';

import { errorsIn, undocumentedErrors } from '../laws/errors.js';
import type { migrationFaults } from '../laws/migrations.js';
import { policiesOf, Policy, servedLists } from '../lists/served-lists.js';
import { startApp, TestApp } from './app.js';
import type { UserColumns } from './settings.js';

/** Exceptions from the laws that an application declares. */
export interface LawOptions {
  /**
   * The routes that everybody may call, without `/api/v1`: `['POST /login']`. Omit the health and documentation routes.
   */
  readonly open: readonly string[];
  /** The routes that `ANONYMOUS_ROLE` opens to callers without credentials. */
  readonly openToAnonymousRole?: readonly string[];
  /** The codes of errors that no route responds with, such as the errors of a WebSocket gateway. */
  readonly undocumented?: readonly string[];
  /** Columns that users need in addition to e-mail, password and role: see `startApp()`. */
  readonly userColumns?: UserColumns;
  /**
   * The folder of the application, with its `src/`, `package.json` and `tsconfig.json`. By default, the folder in which Jest
   * runs. Set it if a repository contains several applications.
   */
  readonly project?: string;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: object }>>>>;
  readonly components: { readonly responses: object };
}

/** The public routes of `@plinth/core` itself. */
const BASE_ROUTE = /^GET \/(docs|reference|health|\.well-known)(\/|$)/;
const DOCUMENTED = /^(GET|POST|PUT|PATCH|DELETE) /;
/** Returns the same text for `GET /lamps/:id` and for the document's `GET /lamps/{id}`. */
const normalizePath = (path: string): string => path.replaceAll(/\{\w+\}|:\w+(\([^)]*\))?/g, '*');

/** Returns the imports in the `src/` of a project that break the import law, each as `file → import: reason`. */
export async function brokenImports(root: string): Promise<string[]> {
  // This path works from src/ and from dist/.
  const program = fileURLToPath(new URL('../../src/laws/cruise.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: root });
  return JSON.parse(stdout) as string[];
}

/**
 * Declares tests that check the routes, lists, errors, migrations and imports of an application. They read the `src/` of the
 * folder in which Jest runs, or of `project`.
 *
 * @example describeLaws(AppModule, { open: ['POST /login', 'POST /auth/refresh'] });
 */
export function describeLaws(AppModule: Type, options: LawOptions): void {
  const project = resolve(options.project ?? '.');
  const sources = join(project, 'src');
  let app: TestApp;
  let document: Document;
  let migrations: MigrationFaults;

  beforeAll(async () => {
    app = await startApp(AppModule, { DOCS: 'true' }, options.userColumns);
    document = (await (await fetch(`${app.baseUrl}/docs/openapi.json`)).json()) as Document;
    migrations = await (await import('../laws/migrations.js')).migrationFaults(app.nest, sources);
  });
  afterAll(() => app.stop());

  describeRoutes(
    () => [...policiesOf(app.nest)],
    () => document,
    options,
  );

  describe('every error that src/ declares', () => {
    it('is in the catalogue, and a route documents it with @ApiErrorResponse()', () => {
      const missing = undocumentedErrors(document, errorsIn(sources).declared);
      expect(missing.sort()).toEqual((options.undocumented ?? []).toSorted());
    });

    it('is thrown somewhere', () => {
      expect(errorsIn(sources).unused).toEqual([]);
    });
  });

  describeMigrations(() => migrations);

  it('every page of a list is found by an index, or the list declares `unindexed`', async () => {
    const { listFaults } = await import('../laws/lists.js');
    const { DataSource } = await import('typeorm');
    expect(await listFaults(app.nest.get(DataSource), servedLists(policiesOf(app.nest)))).toEqual([]);
  });

  it('every role of defineAccess() can be given to a user', async () => {
    for (const role of (await import('@plinth/core')).ROLES) await app.user(role);
  });

  it('every import of src/ resolves, is installed in production, and is public', async () => {
    expect(await brokenImports(project)).toEqual([]);
  });
}

type MigrationFaults = Awaited<ReturnType<typeof migrationFaults>>;
type Access = NonNullable<Policy['access']>;

function describeRoutes(
  policies: () => [string, Policy][],
  document: () => Document,
  { open, openToAnonymousRole = [] }: LawOptions,
): void {
  const routesWhere = (isOpen: (access: Access) => boolean): string[] => {
    const routes = policies()
      .filter(([route, { access }]) => !route.startsWith('HEAD ') && access && isOpen(access))
      .filter(([route]) => !BASE_ROUTE.test(route))
      .map(([route]) => route.replace(/ \/api\/v\d+\//, ' /'));
    return [...new Set(routes)].sort();
  };

  describe('every route', () => {
    it('is public only if `open` lists it', () => {
      expect(routesWhere(({ isPublic }) => isPublic)).toEqual(open.toSorted());
    });

    it('is open to the anonymous role only if `openToAnonymousRole` lists it', () => {
      const found = routesWhere((access) => !access.isPublic && access.anonymous === true);
      expect(found).toEqual(openToAnonymousRole.toSorted());
    });

    it('of an API version is in the OpenAPI document with a response', () => {
      const answering = Object.entries(document().paths).flatMap(([path, operations]) =>
        Object.entries(operations)
          .filter(([, { responses }]) => Object.keys(responses).some((status) => /^[123]/.test(status)))
          .map(([method]) => `${method.toUpperCase()} ${normalizePath(path)}`),
      );
      const silent = policies()
        .filter(([route, { apiVersion }]) => apiVersion !== undefined && DOCUMENTED.test(route))
        .filter(([route]) => !answering.includes(normalizePath(route)));
      expect(silent.map(([route]) => route)).toEqual([]);
    });
  });
}

function describeMigrations(faults: () => MigrationFaults): void {
  describe('migrations', () => {
    it('include every file of src/migrations', () => {
      expect(faults().unlisted).toEqual([]);
    });

    it('have triggers that give a row a new version when another table changes its response', () => {
      expect(faults().unfollowed).toEqual([]);
    });

    it('create what entities and lists declare: `plinth migration:generate` writes what is missing', () => {
      expect(faults().missing).toEqual([]);
    });
  });
}
