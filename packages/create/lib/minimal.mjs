import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tests that contain one of these words are removed with the modules. */
const WORDS = /product|orders\b|review/i;
const REMOVED = [
  'src/products',
  'src/orders',
  'src/reviews',
  'seed/demo.ts',
  'seed/rows.ts',
  'deploy/postgres/archive-orders.sql',
  'deploy/postgres/citus-distribute.sql',
];

const ONLY_VERSION = ["['1', '2']", "'1'"];

/** The replacements in the files that stay: a pattern, and the text that replaces its matches. */
const EDITS = {
  'src/config/versions.ts': [[/ {2}1: .*\n.*\n/, '  1: {},\n']],
  'src/users/user.dto.ts': [
    [/^export class UserDto .*\n\n/m, ''],
    [/UserV2Dto/g, 'UserDto'],
  ],
  'src/users/users.controller.ts': [
    ONLY_VERSION,
    [', UserV2Dto', ''],
    ['{ 1: UserDto, 2: UserV2Dto }', 'UserDto'],
  ],
  'src/auth/api-keys/api-keys.controller.ts': [ONLY_VERSION],
  'src/auth/sessions/sessions.controller.ts': [ONLY_VERSION],
  'src/auth/recovery/recovery.controller.ts': [ONLY_VERSION],
  'src/auth/login/login.controller.ts': [
    [/'1', '2'/g, "'1'"],
    [', LoginResultV2Dto', ''],
    [/\{ 1: LoginResultDto, .* \}/, 'LoginResultDto'],
  ],
  'src/auth/login/login.dto.ts': [
    [/\n@ApiSchema\(\{\n.*V2[^]*$/, ''],
    [', UserV2Dto', ''],
    [', WithEntityTag', ''],
  ],
  'src/app.module.ts': [[/^.*(Products|Orders|Reviews)Module.*\n/gm, '']],
  'src/migrations/migrations.ts': [[/^.*(Products|Orders|Reviews?)\w*\d.*\n/gm, '']],
  'src/config/access.ts': [["['product', 'user', 'order', 'review']", "['user']"]],
  'src/users/user.errors.ts': [[/, USER_HAS_ORDERS|^ *USER_HAS_ORDERS: .*\n/gm, '']],
  'src/users/user.resource.ts': [[/USER_HAS_ORDERS, |, orders_user_id_fkey: USER_HAS_ORDERS/g, '']],
  'seed/seed.ts': [
    [/^.*demo.*\n/gim, ''],
    ["{ KINDS } from './rows.js'", "{ USERS } from './users.js'"],
    ['kinds: KINDS', 'kinds: { users: USERS }'],
  ],
  'test/e2e/auth.test.ts': [
    [/v1\/products/g, 'v1/api-keys'],
    [`{ name: 'Lamp', price: 20, category: 'lamps' }`, `{ name: 'import', permissions: ['create'] }`],
  ],
  'test/e2e/laws.test.ts': [[/ *openToAnonymousRole: \[[^\]]*\],\n/, '']],
  'src/docs/docs.ts': [[/^.*name: '(Products|Orders|Order items|Reviews)'.*\n/gm, '']],
  'src/docs/description.md': [['Products, users, orders and reviews over', 'Users over']],
  'src/docs/guides/1-getting-started.md': [
    [' or `/api/v2`', ''],
    ['v1/products?limit', 'v1/users?limit'],
    ['their own user, orders and reviews', 'their own user'],
    [", and change the status of everybody's orders", ''],
  ],
  'src/docs/guides/2-browsers.md': [
    ['products and reviews may', 'the resources of some modules may'],
    [/A new review\s[^.]*\.\s/, ''],
  ],
  'src/docs/guides/4-paging.md': [
    [/\sA filter that the path\s[^)]*\)\.|`GET [^.]*\.\s|:\s`\?category[^`]*`/g, ''],
    ['products?q=desk+la&maxPrice=100', 'users?q=ada'],
    ['rating:desc,price:asc', 'email:asc,createdAt:desc'],
  ],
  'src/docs/guides/5-caching-and-concurrency.md': [
    [/products\/42/g, 'users/42'],
    [/In version 2[^]*?\n\n/, ''],
    ['products and reviews may', 'the resources of some modules may'],
  ],
  'src/docs/guides/6-idempotency.md': [
    [/ME=.*\n\n/, ''],
    ['users/$ME/orders', 'api-keys'],
    [/'{"items".*'/, `'{"name":"Nightly export","permissions":["read"]}'`],
  ],
  'src/docs/guides/7-versions.md': [
    ['v1/products', 'v1/users'],
    [/\n\|[^]*\|\n/, '\nThere is only version 1 so far.\n'],
  ],
  'src/docs/guides/9-typescript-client.md': [
    [/const product of .*\n.*/, 'const one of api.users.list()) {\n  console.log(one.name);'],
    [/data: lamp(.*)products/, 'data: ada$1users'],
    ['products.patch(lamp.id, { price: 45 }', "users.patch(ada.id, { name: 'Ada' }"],
    [/\/\/ Money.*\n/, ''],
    [/api\.products\.update.*\n.*/, 'api.users.update(42, ({ name }) => ({ name: name?.trim() }));'],
    ['api.orders.create(userId, body)', 'api.users.patch(id, body)'],
  ],
};

/**
 * Removes products, orders and reviews: their modules, migrations, permissions, docs, tests and seed data. Leaves one version
 * of the API.
 */
export function leaveOutExample(project) {
  const read = (path) => readFileSync(join(project, path), 'utf8');
  const filesIn = (folder, isGone) =>
    readdirSync(join(project, folder), { recursive: true })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts') && isGone(path));
  const migrations = filesIn('src/migrations', (path) => /\d-.*(products|orders|review)/.test(path));
  const tests = filesIn('test', (path) => !(path in EDITS) && WORDS.test(read(path)));
  for (const path of [...REMOVED, ...migrations, ...tests]) rmSync(join(project, path), { recursive: true });
  for (const [path, edits] of Object.entries(EDITS)) {
    let text = read(path);
    for (const [from, to] of edits) {
      const before = text;
      text = text.replace(from, to);
      if (text === before)
        throw new Error(`This is a bug of create-plinth: ${path} does not contain ${from}.`);
    }
    writeFileSync(join(project, path), text);
  }
}
