import { applyDecorators, Patch, Post, UseGuards } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { Batch, Caller, Preconditions, Resource, ResourceService } from '@plinth/core';
import { Client, eventually } from '@plinth/dev/testing';

import { ReviewDto } from '../../src/reviews/review.dto.js';
import { Review } from '../../src/reviews/review.entity.js';
import { REVIEWS } from '../../src/reviews/review.resource.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { createProduct, errorOf, faultsOf } from '../support/products.js';
import { headersOf } from '../support/schemes.js';
import { announced, RemarksModule } from './batch.module.js';

interface Result {
  readonly status: number;
  readonly location?: string;
  readonly body?: Partial<Review>;
}

describe('a module with batches of rows that belong to another resource', () => {
  let app: OwnApp;
  let admin: Client;
  let productId: number;
  beforeAll(async () => {
    app = await startInProcess({ DOCS: 'true' }, undefined, [RemarksModule]);
    admin = await app.as('admin');
    productId = (await createProduct(admin)).product.id;
  });
  afterAll(() => app.stop());

  const send = (operations: object[], by = admin, product = productId) =>
    by.post(`/api/v2/products/${product}/remarks/batch`, { operations, atomic: false });
  const create = (comment?: string): object => ({ method: 'create', body: { rating: 4, comment } });

  it('keeps its own rules, and does its work only after the commit of each operation', async () => {
    const answer = await send([create('spam'), create(), create('again')]);
    const { results } = answer.body as { results: Result[] };
    expect(results.map(({ status }) => status)).toEqual([422, 201, 409]);
    expect(faultsOf({ body: results[2] })).toEqual(['productId NOT_UNIQUE', 'userId NOT_UNIQUE']);
    const [, { body, location } = {} as Result] = results;
    expect(body).toMatchObject({ productId, comment: 'No comment' });
    expect(location).toBe(`/api/v2/products/${productId}/remarks/${body?.id}`);
    expect(announced).toHaveLength(1);
  });

  it('names the operation whose value is taken, and its fields', async () => {
    const { path } = await createProduct(admin);
    const operations = [create('one'), create('two')];
    const remarks = path.replace('v1', 'v2');
    const answer = await admin.post(`${remarks}/remarks/batch`, { operations, atomic: true });
    expect([errorOf(answer), faultsOf(answer)]).toEqual([
      '409 REVIEW_ALREADY_EXISTS',
      ['operations.1.productId NOT_UNIQUE', 'operations.1.userId NOT_UNIQUE'],
    ]);
  });

  it('checks the owner and the parent of a row, and whether the parent is hidden', async () => {
    const user = await app.user('viewer');
    const viewer = app.anonymous.with((await headersOf(app, user, ['read'])).bearer);
    const { results } = (await send([create()], viewer)).body as { results: Result[] };
    const change = [{ method: 'update', id: results[0]?.body?.id, body: { rating: 5 } }];
    const first = async (by: Client, product = productId): Promise<number> =>
      ((await send(change, by, product)).body as { results?: Result[] }).results?.[0]?.status ?? 403;
    expect([await first(viewer), await first(await app.as('viewer'))]).toEqual([200, 403]);
    expect(await first(viewer, (await createProduct(admin)).product.id)).toBe(404);
    const hiding = { resourceType: 'product', resourceId: productId, userId: user.id, permissions: ['read'] };
    await admin.post('/api/v1/access-grants', { ...hiding, effect: 'deny' });
    await eventually(async () => errorOf(await send(change, viewer)), '403 PERMISSION_DENIED', 1_000);
  });

  it('is opened by grants of the permission that a route requires, whatever its method is', async () => {
    const user = await app.user('viewer');
    const viewer = app.anonymous.with((await headersOf(app, user, ['read'])).bearer);
    const [review] = await app.query<{ id: number }>('select id from reviews limit 1');
    const remark = `/api/v2/products/${productId}/remarks/${review?.id}`;
    const grant = (...permissions: string[]) =>
      admin.post('/api/v1/access-grants', {
        ...{ resourceType: 'product', resourceId: productId, userId: user.id, effect: 'allow', permissions },
      });
    const statuses = async (): Promise<string> =>
      `${(await viewer.post(`${remark}/approval`, undefined)).status} ${(await viewer.get(`${remark}/reports`)).status}`;
    await grant('read', 'create', 'delete');
    expect(await statuses()).toBe('403 403');
    await grant('update');
    await eventually(statuses, '201 403', 2_000);
  });

  it('accepts and documents only the operations that it has routes for', async () => {
    const { results } = (await send([{ method: 'delete', id: 1 }])).body as { results: Result[] };
    expect(faultsOf({ body: results[0] })).toEqual(['method NOT_ALLOWED']);
    const { text } = await app.anonymous.get('/docs/openapi.json');
    expect(text).toContain('UpdateReviewOperation');
    expect(text).not.toContain('DeleteReviewOperation');
  });

  it('is refused if a batch would skip a guard of a route, or if there is no route to repeat', () => {
    const declare = (...decorators: MethodDecorator[]): void => {
      @Resource({ ...REVIEWS, version: '1', responseDto: ReviewDto })
      class OddController {
        @applyDecorators(...decorators)
        patch(): void {}

        @Post('batch')
        batch(@Batch() batch: Batch): unknown {
          return batch;
        }
      }
      void OddController;
    };
    expect(() => declare(Patch(':id'), UseGuards(AuthGuard('bearer')))).toThrow('patch has guards');
    expect(() => declare()).toThrow('@Batch() needs a path of one word');
  });
});

/** A service that does not pass on the transaction does not compile. */
class Loose extends ResourceService<Review> {
  override patch(key: number, changes: object, caller: Caller, conditions: Preconditions): Promise<Review> {
    return super.patch(key, changes, caller, conditions);
  }
}
// @ts-expect-error patch() has no parameter for the transaction
export const run = (batch: Batch, service: Loose): Promise<unknown> => batch.run(service);
