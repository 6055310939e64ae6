import { Answer, Client } from '@plinth/dev/testing';

import { useApp, useClient } from '../support/app.js';
import { createProduct, errorOf, Product, productIn, validatorsOf } from '../support/products.js';

const WRITERS = 50;

/** The statuses of many concurrent writes, counted. */
const together = (write: (i: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: WRITERS }, (_, i) => write(i)));

function countsOf(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const outcome = answer.status < 300 ? String(answer.status) : errorOf(answer);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

describe(`${WRITERS} writers at once`, () => {
  const app = useApp();
  const admin = useClient(app, 'admin');

  const ONE_WINS = { 200: 1, '412 PRECONDITION_FAILED': WRITERS - 1 };

  it.each<
    [string, (client: Client, path: string, i: number, headers: Record<string, string>) => Promise<Answer>]
  >([
    ['PATCH', (client, path, i, headers) => client.patch(path, { price: i + 100 }, headers)],
    ['PATCH to the same', (client, path, _, headers) => client.patch(path, { price: 99 }, headers)],
    ['PUT', (client, path, i, headers) => client.put(path, { name: `Writer ${i}`, price: i }, headers)],
  ])('let exactly one succeed if all name one ETag: %s', async (_, write) => {
    for (const version of ['v1', 'v2'] as const) {
      const { path, etag } = await createProduct(admin, {}, version);
      const answers = await together((i) => write(admin, path, i, { 'if-match': etag }));
      expect(countsOf(answers)).toEqual(ONE_WINS);
      const winner = answers.find(({ status }) => status === 200)!;
      const now = await admin.get(path);
      expect(now.body).toEqual(winner.body);
      expect(validatorsOf(now)).toEqual(validatorsOf(winner));
    }
  });

  it('let exactly one succeed if all name one ETag, by PATCH and DELETE', async () => {
    const { path, etag } = await createProduct(admin);
    const answers = await together((i) =>
      i % 2 === 0
        ? admin.delete(path, { 'if-match': etag })
        : admin.patch(path, { price: i }, { 'if-match': etag }),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    const isRemoved = answers.some(({ status }) => status === 204);
    expect((await admin.get(path)).status).toBe(isRemoved ? 404 : 200);
  });

  it('let exactly one succeed if all name a date of long ago', async () => {
    const { path, product } = await createProduct(admin);
    await app.query(`update products set updated_at = '2026-01-01' where id = $1`, [product.id]);
    const { lastModified } = validatorsOf(await admin.get(path));
    const answers = await together((i) =>
      admin.patch(path, { price: i + 100 }, { 'if-unmodified-since': lastModified }),
    );
    expect(countsOf(answers)).toEqual(ONE_WINS);
  });

  it('all succeed without conditions on different fields: no write is lost, and each counts as a version', async () => {
    const { path, product, etag } = await createProduct(admin, {}, 'v2');
    const fields = ['name', 'price', 'category', 'description'] as const;
    const change = (i: number): Partial<Product> => {
      const field = fields[i % fields.length]!;
      return { [field]: field === 'price' ? i + 100 : `of writer ${i}` };
    };
    const answers = await together((i) => admin.patch(path, change(i)));
    expect(countsOf(answers)).toEqual({ 200: WRITERS });

    // In the order of the versions, each response is the one before it plus its own change.
    const versionOf = (tag: string): number => Number(/-(\d+)"$/.exec(tag)?.[1]);
    const steps = answers
      .map((answer, i) => ({ i, product: productIn(answer), version: versionOf(validatorsOf(answer).etag) }))
      .sort((a, b) => a.version - b.version);
    expect(steps.map(({ version }) => version)).toEqual(
      Array.from({ length: WRITERS }, (_, i) => versionOf(etag) + 1 + i),
    );
    let before = product;
    for (const step of steps) {
      const counted = { updatedAt: expect.any(String), etag: expect.any(String) };
      expect(step.product).toEqual({ ...before, ...change(step.i), ...counted });
      expect(step.product.updatedAt >= before.updatedAt).toBe(true);
      before = step.product;
    }
    const now = await admin.get(path);
    expect(now.body).toEqual(before);
    expect(versionOf(validatorsOf(now).etag)).toBe(versionOf(etag) + WRITERS);
  });
});
