import { ConnectionError, createClient, isError, token } from '../../src/generated/index.js';
import type { Pages, Product, ProductsSort, User } from '../../src/generated/index.js';
import { find, onSubmit } from './dom.js';

const baseUrl = new URLSearchParams(location.search).get('api') ?? 'http://127.0.0.1:3000';
const plinth = createClient({ baseUrl, auth: token(), maxRetryDelayMs: 5_000 });
const CHANGED = 'Somebody else has changed this product: here it is as it is now.';
let user: User;
let pages: Pages<Product> | undefined;

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

function itemOf({ id, name, price, rating, inStock }: Product): Node {
  const item = find<HTMLTemplateElement>('template').content.cloneNode(true) as DocumentFragment;
  find('strong', item).textContent = name;
  find('.price', item).textContent = `${price.toFixed(2)}${inStock ? '' : ', sold out'}`;
  find('.rating', item).textContent = rating === null ? '' : `★ ${rating}`;
  onSubmit(find('.order', item), attempt, async (values) => {
    const items = [{ productId: id, quantity: Number(values.get('quantity')) }];
    const { data: order } = await plinth.orders.create(user.id, { items });
    return `Order ${order.id}: ${order.total.toFixed(2)}`;
  });
  onSubmit(find('.review', item), attempt, async (values) => {
    await plinth.reviews.create(id, { rating: Number(values.get('rating')) });
    return `${await showFirst()}Thank you for your review.`;
  });
  const edit = find<HTMLFormElement>('.edit', item);
  let reading: Promise<{ etag: string | null }> | undefined;
  const seen = () => (reading ??= plinth.products.get(id));
  edit.addEventListener('focusin', () => void seen().catch(() => undefined));
  onSubmit(edit, attempt, async (values) => {
    await plinth.products.patch(id, { price: Number(values.get('price')) }, { ifMatch: (await seen()).etag });
    return `${await showFirst()}Saved.`;
  });
  return item;
}

async function enter(someone: User): Promise<string> {
  user = someone;
  find('#account span').textContent = user.name ?? user.email;
  for (const part of ['#account', 'main']) find(part).hidden = false;
  find('#login').hidden = true;
  return showFirst();
}

onSubmit(find('#login'), attempt, async (values) => {
  const [email, password] = ['email', 'password'].map((name) => values.get(name) as string);
  return enter((await plinth.login({ email: email ?? '', password: password ?? '' })).user);
});
find('#account button').onclick = () => void plinth.logout().finally(() => location.reload());
find('#filters').addEventListener('change', () => void attempt(showFirst));
// What was said before stays: nobody has asked for anything.
const scroll = async () => (await showMore()) || find('#status').textContent;
new IntersectionObserver(([end]) => end?.isIntersecting && void attempt(scroll)).observe(find('#end'));
// The refresh cookie of an earlier visit, if there is one, is enough.
const visit = plinth.users.me().then(({ data }) => attempt(() => enter(data)));
visit.catch(() => undefined);
