import { statementLabel } from './statement-label.js';

describe('the label of a statement', () => {
  it.each([
    ['sessions_find', 'select 1 from sessions', 'sessions_find'],
    ['q_aBc', 'select "products"."id" from "products" where id = any($1)', 'select products'],
    [undefined, 'SELECT "User"."id" FROM "public"."users" "User" WHERE 1 = 1', 'select users'],
    [undefined, '\n  insert into orders (a) select 1 from products', 'insert orders'],
    [undefined, 'update "products" set a = 1 where id in (select id from reviews)', 'update products'],
    [undefined, 'delete from sessions where digest = $1', 'delete sessions'],
    [undefined, 'with gone as (delete from changes returning *) select 1 from gone', 'delete changes'],
    [undefined, 'with a as (select 1 from users) select * from a', 'select users'],
    [undefined, 'select id from orders for update', 'select orders'],
    [
      undefined,
      'select p.* from unnest($1::int[]) a cross join lateral (select 1 from orders) p',
      'select orders',
    ],
    [undefined, 'select 1', 'select'],
    [undefined, 'BEGIN', 'begin'],
    [undefined, 'vacuum "changes"', 'vacuum'],
    [undefined, '/* nothing */', 'other'],
  ])('%s, %s: %s', (name, text, label) => {
    expect(statementLabel({ name, text })).toBe(label);
  });
});
