import { equal } from './assert.mjs';

/** Creates the rows for the checks: three each of products, users, reviews and orders. */
async function makeRows(api, category) {
  const rows = { products: [], users: [], reviews: [], orders: [] };
  for (const index of [1, 2, 3]) {
    const { data: product } = await api.products.create({
      name: `${category} ${index}`,
      price: index,
      category,
    });
    const email = `${category}-${index}@example.com`;
    const { data: user } = await api.users.create({ email, password: 'correct horse battery' });
    rows.products.push(product);
    rows.users.push(user);
    rows.reviews.push((await api.reviews.create(product.id, { rating: index })).data);
    const { data: order } = await api.orders.create(user.id, {
      items: [{ productId: product.id, quantity: 1 }],
    });
    rows.orders.push(order);
  }
  return rows;
}

/** Calls a method of the data provider on the page. Returns an error as its message, status and errors. */
const callsOn = (page) => (method, resource, params) =>
  page.evaluate(
    ([name, ...args]) =>
      globalThis.dataProvider[name](...args).catch(({ message, status, body }) => ({
        message,
        status,
        errors: body?.errors,
      })),
    [method, resource, params],
  );

const ids = (rows) => rows.map(({ id }) => id);
const byId = { field: 'id', order: 'ASC' };
const page = (perPage, number = 1) => ({ page: number, perPage });

/** Checks what react-admin's documentation requires of each method of a data provider, on each resource. */
export async function checkContract(browserPage, api) {
  const call = callsOn(browserPage);
  const category = `contract-${Date.now().toString(36)}`;
  const rows = await makeRows(api, category);
  const changes = {
    products: [{ name: 'Changed' }, { price: -1 }, 'price'],
    users: [{ name: 'Changed' }, { role: 'king' }, 'role'],
    reviews: [{ comment: 'Changed' }, { rating: 6 }, 'rating'],
    orders: [{ status: 'cancelled' }, { status: 'lost' }, 'status'],
  };
  const references = {
    products: ['category', category],
    users: ['q', category],
    reviews: ['productId', rows.products[0].id],
    orders: ['userId', rows.users[0].id],
  };
  const created = {
    products: { name: 'New', price: 1.5, category },
    users: { email: `${category}-new@example.com`, password: 'correct horse battery' },
    reviews: { productId: undefined, rating: 5 },
    orders: { userId: rows.users[0].id, items: [{ productId: rows.products[0].id, quantity: 2 }] },
  };
  const results = [];
  for (const resource of Object.keys(rows)) {
    const own = rows[resource];
    const [change, fault, field] = changes[resource];
    const [target, id] = references[resource];
    const steps = {
      getList: async () => {
        const filter = { id: ids(own) };
        const params = { filter, sort: byId, pagination: page(2) };
        const first = await call('getList', resource, params);
        equal([ids(first.data), first.total], [ids(own).slice(0, 2), 3]);
        const last = await call('getList', resource, { ...params, pagination: page(2, 2) });
        equal(ids(last.data), ids(own).slice(2));
        const down = await call('getList', resource, { ...params, sort: { ...byId, order: 'DESC' } });
        equal(ids(down.data), ids(own).reverse().slice(0, 2));
        const all = await call('getList', resource, { ...params, pagination: page(1000) });
        equal([ids(all.data), all.total], [ids(own), 3], 'the rows of an export');
      },
      getOne: async () => equal((await call('getOne', resource, { id: own[0].id })).data.id, own[0].id),
      getMany: async () => {
        const { data } = await call('getMany', resource, { ids: ids(own) });
        equal(
          ids(data).sort((a, b) => a - b),
          ids(own),
        );
      },
      getManyReference: async () => {
        const params = { target, id, filter: {}, sort: byId, pagination: page(25) };
        const { data, total } = await call('getManyReference', resource, params);
        equal([data.length, total], ['products', 'users'].includes(resource) ? [3, 3] : [1, 1]);
      },
      create: async () => {
        const data = { ...created[resource] };
        if (resource === 'reviews')
          data.productId = (await api.products.create({ name: 'Unrated', price: 1, category: 'x' })).data.id;
        const made = (await call('create', resource, { data })).data;
        equal((await call('getOne', resource, { id: made.id })).data, made);
        own.push(made);
      },
      update: async () => {
        const previousData = (await call('getOne', resource, { id: own[0].id })).data;
        const params = { id: previousData.id, previousData };
        const { data } = await call('update', resource, { ...params, data: { ...previousData, ...change } });
        equal({ ...data, ...change }, data);
        const stale = { ...previousData, etag: previousData.etag };
        const late = await call('update', resource, { ...params, data: { ...stale, ...fault } });
        equal(
          [409, 412, 422].includes(late.status),
          true,
          `the status ${late.status} of a late or wrong write`,
        );
        const wrong = await call('update', resource, {
          id: data.id,
          previousData: data,
          data: { ...data, ...fault },
        });
        equal([wrong.status, typeof wrong.errors[field]], [422, 'string'], JSON.stringify(wrong));
      },
      delete: async () => {
        const previousData = (await call('getOne', resource, { id: own.at(-1).id })).data;
        equal(
          (await call('delete', resource, { id: previousData.id, previousData })).data.id,
          previousData.id,
        );
        equal((await call('getOne', resource, { id: previousData.id })).status, 404);
      },
      deleteMany: async () => {
        if (resource === 'users')
          for (const { id: orderId, userId } of rows.orders) await removeOrder(api, userId, orderId);
        const many = ids(own).slice(0, 3);
        equal((await call('deleteMany', resource, { ids: many })).data, many);
        equal((await call('getMany', resource, { ids: many })).data, []);
      },
    };
    const { deleteMany, ...others } = steps;
    for (const [name, step] of Object.entries(others))
      results.push(await attempt(`${resource}.${name}`, step));
    results.push({ name: `${resource}.deleteMany`, step: deleteMany });
  }
  // Deletes orders first, because their users cannot be deleted before, and products last.
  for (const result of results.filter(({ step }) => step).reverse())
    Object.assign(result, await attempt(result.name, result.step), { step: undefined });
  return results;
}

/** Deletes an order that the test of another resource may have left. */
const removeOrder = (api, userId, id) => api.orders.delete(userId, id).catch(() => undefined);

async function attempt(name, step) {
  const title = `react-admin: ${name} meets the contract of data providers`;
  try {
    await step();
    return { name: title, failure: undefined };
  } catch (error) {
    return { name: title, failure: String(error?.stack ?? error) };
  }
}
