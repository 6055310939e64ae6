import { Role } from '../../packages/core/src/config/define-access.js';
import { startApp, TestApp } from './app.js';
import { createProduct } from './products.js';
import { authorizationOf } from './raw-http.js';

interface Started {
  readonly app: TestApp;
  /** The `Authorization` header of a user, as a line of a request. */
  readonly authorization: string;
  /** The id of a product. */
  readonly id: number;
}

/** The service of `startApp()` with a user and a product, for tests that send bytes. */
export async function startWithProduct(role: Role): Promise<Started> {
  const app = await startApp();
  const { product } = await createProduct(await app.as('editor'));
  return { app, authorization: await authorizationOf(app, role), id: product.id };
}
