import { Client, Conformance, Credentials, logIn } from '@plinth/dev/testing';

import { ACCESS } from '../../packages/core/test/examples/companies/access.js';
import { CompaniesAppModule } from '../../packages/core/test/examples/companies/app.module.js';
import { Company, companyList } from '../../packages/core/test/examples/companies/companies.js';
import {
  commentList,
  reactionList,
  ticketList,
} from '../../packages/core/test/examples/companies/ticket.resource.js';
import { Comment, Reaction, Ticket } from '../../packages/core/test/examples/companies/ticket.entity.js';
import { User, userList } from '../../packages/core/test/examples/companies/user.entity.js';
import { AppOptions } from '../../packages/core/src/app/app.factory.js';
import { defineAccess, Role } from '../../packages/core/src/config/define-access.js';
import { findChanges } from '../../packages/dev/src/migrations/changes.js';
import { withDataSource } from '../../packages/dev/src/migrations/data-source.js';
import { createDatabase } from './databases.js';
import { OwnApp, startInProcess } from './own-app.js';
import { Settings } from './settings.js';

const ENTITIES = [Company, User, Ticket, Comment, Reaction];
const LISTS = [companyList, userList, ticketList, commentList, reactionList];

/** The example `companies`, with helpers for its users. */
export interface CompaniesApp extends OwnApp {
  readonly databaseUrl: string;
  /** Creates a user of a company. */
  member(role: Role, companyId: number | null): Promise<Credentials>;
  /** Creates a user of a company, and returns a client with the user's access token. */
  asMember(role: Role, companyId: number | null): Promise<Client>;
}

/** Starts the example, on a new database with its tables, and with companies of the given names. */
export async function startCompanies(
  names: readonly string[] = [],
  settings: Settings = {},
  modules: AppOptions['modules'] = [],
): Promise<CompaniesApp> {
  // Modules of this file have also loaded the roles of the application in src/.
  defineAccess(ACCESS);
  const database = await createDatabase();
  await withDataSource(database.url, { entities: ENTITIES }, (dataSource) => findChanges(dataSource, LISTS));
  for (const name of names) await database.query('insert into companies (name) values ($1)', [name]);
  const own = await startInProcess({ DOCS: 'true', ...settings }, database, modules, CompaniesAppModule);
  const member: CompaniesApp['member'] = (role, companyId) => own.user(role, { company_id: companyId });
  const conformance = await Conformance.of(own.baseUrl);
  const anonymous = new Client(own.baseUrl, conformance);
  const app = Object.assign(own, {
    anonymous,
    databaseUrl: database.url,
    member,
    asMember: async (role: Role, companyId: number | null) => logIn(anonymous, await member(role, companyId)),
  });
  const stop = app.stop;
  app.stop = async () => {
    await stop();
    await database.drop();
  };
  return app;
}
