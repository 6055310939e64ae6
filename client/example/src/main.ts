import { ConnectionError, createClient, edit, isError, token } from '../../src/generated/index.js';
import type { Pages, ProductsSort, ProductV2, User } from '../../src/generated/index.js';
import { find, onSubmit } from './dom.js';

const baseUrl = new URLSearchParams(location.search).get('api') ?? 'http://127.0.0.1:3000';
/** Set while there is a login: a visit without one asks for nothing that needs it. */
const VISIT = 'shop.visit';
const plinth = createClient({
  baseUrl,
  version: 'v2',
  auth: token(),
  maxRetryDelayMs: 5_000,
  onUnauthenticated: () => localStorage.removeItem(VISIT),
});
const CHANGED = 'Somebody else has changed this product: here it is as it is now.';
let user: User;
let pages: Pages<ProductV2> | undefined;

/** Runs what the user asks for, and says how it went. */
async function attempt(work: () => Promise<string>): Promise<void> {
  const status = find('#status');
  try {
    status.textContent = await work();
  } catch (error) {
    // Reading it again may fail too, and is reported then.
    if (isError(error, 'PRECONDITION_FAILED')) await attempt(async () => (await showFirst()) + CHANGED);
    else status.textContent = messageOf(error);
  }
}

function messageOf(error: unknown): string {
  if (isError(error, 'UNPROCESSABLE_ENTITY', 'VALIDATION_FAILED'))
    return error.details.map(({ field, message }) => `${field}: ${message}`).join('; ');
  if (isError(error, 'RATE_LIMIT_EXCEEDED'))
    return `Too many attempts: wait ${Math.ceil((error.retryAfterMs ?? 0) / 1000)} seconds.`;
  if (error instanceof ConnectionError) return 'The service is out of reach.';
  return error instanceof Error ? error.message : String(error);
}

/** Offers the categories of the newest products. */
async function showCategories(): Promise<void> {
  const newest = await plinth.products.list({ limit: 100 });
  const names = newest.data.flatMap(({ category }) => category ?? []);
  find('#filters select[name=category]').append(
    ...[...new Set(names)].sort().map((name) => new Option(name, name)),
  );
}

async function showFirst(): Promise<string> {
  const filters = new FormData(find<HTMLFormElement>('#filters'));
  const query = {
    category: (filters.get('category') as string) || undefined,
    maxPrice: Number(filters.get('maxPrice')) || undefined,
    inStock: filters.has('inStock') || undefined,
    sort: filters.get('sort') as ProductsSort,
    limit: 20,
  };
  pages = plinth.products.list(query).pages();
  find('#products').replaceChildren();
  return showMore();
}

async function showMore(): Promise<string> {
  const asked = pages;
  const next = await asked?.next();
  // The filters may be others by now.
  if (asked === pages && next && !next.done) find('#products').append(...next.value.data.map(itemOf));
  return '';
}

const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);

function itemOf({ id, name, price, currency, rating, inStock }: ProductV2): Node {
  const item = find<HTMLTemplateElement>('template').content.cloneNode(true) as DocumentFragment;
  find('strong', item).textContent = name;
  const shownPrice = find('.price', item);
  shownPrice.textContent = `${money(price, currency)}${inStock ? '' : ', sold out'}`;
  find('.rating', item).textContent = rating === null ? '' : `★ ${rating}`;
  onSubmit(find('.order', item), attempt, async (values) => {
    const items = [{ productId: id, quantity: Number(values.get('quantity')) }];
    const { data: order } = await plinth.orders.create(user.id, { items });
    return `Order ${order.id}: ${money(order.total, currency)}`;
  });
  onSubmit(find('.review', item), attempt, async (values) => {
    await plinth.reviews.create(id, { rating: Number(values.get('rating')) });
    return `${await showFirst()}Thank you for your review.`;
  });
  const form = find<HTMLFormElement>('.edit', item);
  const open = find('.open', item);
  // Reads the product, and shows it with the form: what is saved is compared with what is seen, not with something newer.
  const show = async (): Promise<string> => {
    const product = edit(await plinth.products.get(id), (fields: { price: number }, options) =>
      plinth.products.patch(id, fields, options),
    );
    const { data } = product.shown;
    shownPrice.textContent = money(data.price, data.currency);
    find<HTMLInputElement>('input', form).value = String(data.price);
    form.hidden = false;
    open.hidden = true;
    onSubmit(form, attempt, async (values) => {
      await product.save({ price: Number(values.get('price')) });
      return `${await showFirst()}Saved.`;
    });
    return '';
  };
  open.onclick = () => void attempt(show);
  return item;
}

async function enter(someone: User): Promise<string> {
  user = someone;
  find('#account span').textContent = user.name ?? user.email;
  localStorage.setItem(VISIT, 'true');
  for (const part of ['#account', 'main']) find(part).hidden = false;
  find('#login').hidden = true;
  await showCategories();
  return showFirst();
}

onSubmit(find('#login'), attempt, async (values) => {
  const [email, password] = ['email', 'password'].map((name) => values.get(name) as string);
  return enter((await plinth.login({ email: email ?? '', password: password ?? '' })).user);
});
find('#account button').onclick = () => {
  localStorage.removeItem(VISIT);
  void plinth.logout().finally(() => location.reload());
};
find('#filters').addEventListener('change', () => void attempt(showFirst));
// What was said before stays: nobody has asked for anything.
const scroll = async () => (await showMore()) || find('#status').textContent;
new IntersectionObserver(([end]) => end?.isIntersecting && void attempt(scroll)).observe(find('#end'));
// The refresh cookie of an earlier visit is enough.
if (localStorage.getItem(VISIT)) void attempt(async () => enter((await plinth.users.me()).data));
