/** Helpers for end-to-end tests of an application on `@plinth/core`. */

export { startApp, type TestApp } from './app.js';
export { type Answer, Client, errorOf, faultsOf, type RequestOptions } from './client.js';
export { Conformance } from './conformance.js';
export { createDatabase, type TestDatabase } from './databases.js';
export { eventually } from './eventually.js';
export { exampleBody } from './example-body.js';
export { describeLaws, type LawOptions } from './laws.js';
export { DEFAULTS, type Settings, type UserColumns } from './settings.js';
export { createUser, type Credentials, logIn, PASSWORD, PASSWORD_HASH, uniqueEmail } from './users.js';
