// Generated from the OpenAPI document by `plinth client`. Changes are overwritten.

import type {
  Change,
  CreateOptions,
  List,
  ListQuery,
  RequestOptions,
  Result,
  WriteOptions,
} from '@plinth/client';
import type {
  AccessGrant,
  AccessGrantV2,
  ApiKey,
  ApiKeyV2,
  CreateAccessGrant,
  CreateApiKey,
  CreateOrder,
  CreateProduct,
  CreateProductV2,
  CreateUser,
  CreatedApiKey,
  CreatedApiKeyV2,
  EmailVerificationConfirmation,
  IssuedCredentials,
  NewOrderItem,
  Order,
  OrderItem,
  OrderItemV2,
  OrderV2,
  PasswordResetConfirmation,
  PasswordResetRequest,
  PatchApiKey,
  PatchOrder,
  PatchOrderItem,
  PatchProduct,
  PatchProductV2,
  PatchReview,
  PatchUser,
  Product,
  ProductBatch,
  ProductBatchResults,
  ProductBatchResultsV2,
  ProductBatchV2,
  ProductFacets,
  ProductV2,
  ReplaceProduct,
  ReplaceProductV2,
  ReplaceUser,
  Review,
  ReviewV2,
  Session,
  SessionV2,
  User,
  UserV2,
  WriteReview,
} from './schemas.js';

export interface AuthenticationResource {
  /**
   * Ask for a mail with a link that sets a new password.
   *
   * The response is the same whether there is such a user or not. The link is good for 30 minutes, and once; of an account one mail a minute is sent.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  passwordReset(body: PasswordResetRequest, options?: RequestOptions): Promise<Result<undefined>>;

  /**
   * Set a new password with the token of a mail.
   *
   * All logins of the user end: sessions, and refresh tokens.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  confirm(body: PasswordResetConfirmation, options?: RequestOptions): Promise<Result<undefined>>;

  /**
   * Ask for a mail with a link that confirms your e-mail.
   *
   * The link is good for a day, and once. Nothing is sent where the e-mail is confirmed already.
   *
   * Needs no body; a JSON body is ignored.
   */
  emailVerification(options?: RequestOptions): Promise<Result<undefined>>;

  /**
   * Confirm an e-mail with the token of a mail.
   *
   * The page that the link of the mail leads to sends the `token` of its URL. A token is good for one use.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  confirmOfEmailVerification(
    body: EmailVerificationConfirmation,
    options?: RequestOptions,
  ): Promise<Result<undefined>>;
}

export type ProductsSort =
  | 'createdAt:asc'
  | 'createdAt:desc'
  | 'price:asc'
  | 'price:desc'
  | 'rating:asc'
  | 'rating:desc'
  | 'name:asc'
  | 'name:desc'
  | 'id:asc'
  | 'id:desc'
  | 'relevance:asc'
  | 'relevance:desc';

export interface ProductsQuery extends ListQuery<ProductsSort> {
  /** Words to search for, all of which are found, the last by its beginning; `"a phrase"`, `or` and `-without` are understood, accents, marks and case make no difference. A row with one of the words itself comes before rows where it only begins a word. */
  readonly q?: string | undefined;
  /** Only where `category` equals this, or any of these. */
  readonly category?: string | readonly string[] | undefined;
  /** Only where `inStock` equals this. */
  readonly inStock?: boolean | undefined;
  /** Only where `price` is at least this. */
  readonly minPrice?: number | undefined;
  /** Only where `price` is at most this. */
  readonly maxPrice?: number | undefined;
  /** Only where `rating` is at least this. */
  readonly minRating?: number | undefined;
  /** Only where `id` equals this, or any of these. */
  readonly id?: number | readonly number[] | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface ProductsFacetsQuery {
  /** Words to search for, all of which are found, the last by its beginning; `"a phrase"`, `or` and `-without` are understood, accents, marks and case make no difference. A row with one of the words itself comes before rows where it only begins a word. */
  readonly q?: string | undefined;
  /** Only where `category` equals this, or any of these. */
  readonly category?: string | readonly string[] | undefined;
  /** Only where `inStock` equals this. */
  readonly inStock?: boolean | undefined;
  /** Only where `price` is at least this. */
  readonly minPrice?: number | undefined;
  /** Only where `price` is at most this. */
  readonly maxPrice?: number | undefined;
  /** Only where `rating` is at least this. */
  readonly minRating?: number | undefined;
  /** Only where `id` equals this, or any of these. */
  readonly id?: number | readonly number[] | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface ProductsResource {
  /**
   * List products.
   *
   * Returns one page of products, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: ProductsQuery, options?: RequestOptions): List<Product>;

  /**
   * Create a product.
   *
   * Creates a product, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(body: CreateProduct, options?: CreateOptions): Promise<Result<Product>>;

  /**
   * Read the facets of products.
   *
   * Counts products by their values, for the filters of a page.
   *
   * The rows are those that the filters and `q` leave, all of them for each facet: a value that a filter rules out is not among those that are counted.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  facets(query?: ProductsFacetsQuery, options?: RequestOptions): Promise<Result<ProductFacets>>;

  /**
   * Read a product.
   *
   * Returns a product with its `ETag`.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<Product>>;

  /**
   * Replace a product.
   *
   * Replaces every writable field of a product: one that is left out goes back to its default.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  replace(id: number, body: ReplaceProduct, options?: WriteOptions): Promise<Result<Product>>;

  /**
   * Change some fields of a product.
   *
   * Changes the fields of a product that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchProduct, options?: WriteOptions): Promise<Result<Product>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(
    id: number,
    change: Change<Product, PatchProduct>,
    options?: RequestOptions,
  ): Promise<Result<Product>>;

  /**
   * Delete a product.
   *
   * Deletes a product for good. The response is 204, without a body.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;

  /**
   * Create, change and delete products at once.
   *
   * Creates, changes and deletes products, up to 100 in one request.
   *
   * Carries out the operations in their order, each as its own request would be: by the permission, grants and conditions of that. By default all are done or none, and the first fault decides the response: its `details` name the fields as `operations.3.price`, and without details its message begins with `operations.3:`. With `atomic: false` each has its own result, and the response is 200. Each operation counts as a request in the rate limit: where fewer are left, the whole batch is answered with 429.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  batch(body: ProductBatch, options?: CreateOptions): Promise<Result<ProductBatchResults>>;
}

export type ReviewsSort =
  | 'createdAt:asc'
  | 'createdAt:desc'
  | 'rating:asc'
  | 'rating:desc'
  | 'id:asc'
  | 'id:desc'
  | 'relevance:asc'
  | 'relevance:desc';

export interface ReviewsQuery extends ListQuery<ReviewsSort> {
  /** Words to search for, all of which are found, the last by its beginning; `"a phrase"`, `or` and `-without` are understood, accents, marks and case make no difference. A row with one of the words itself comes before rows where it only begins a word. */
  readonly q?: string | undefined;
  /** Only where `productId` equals this. */
  readonly productId?: number | undefined;
  /** Only where `userId` equals this. */
  readonly userId?: number | undefined;
  /** Only where `rating` equals this. */
  readonly rating?: number | undefined;
  /** Only where `rating` is at least this. */
  readonly minRating?: number | undefined;
  /** Only where `id` equals this, or any of these. */
  readonly id?: number | readonly number[] | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface ReviewsOfProductQuery extends ListQuery<ReviewsSort> {
  /** Words to search for, all of which are found, the last by its beginning; `"a phrase"`, `or` and `-without` are understood, accents, marks and case make no difference. A row with one of the words itself comes before rows where it only begins a word. */
  readonly q?: string | undefined;
  /** Only where `userId` equals this. */
  readonly userId?: number | undefined;
  /** Only where `rating` equals this. */
  readonly rating?: number | undefined;
  /** Only where `rating` is at least this. */
  readonly minRating?: number | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface ReviewsResource {
  /**
   * List reviews.
   *
   * Returns one page of reviews, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: ReviewsQuery, options?: RequestOptions): List<Review>;

  /**
   * Read a review.
   *
   * Returns a review with its `ETag`.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<Review>>;

  /**
   * List the reviews of a product.
   *
   * Returns one page of the reviews of a product, and how to get the next one.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  listOfProduct(productId: number, query?: ReviewsOfProductQuery, options?: RequestOptions): List<Review>;

  /**
   * Create a review of a product.
   *
   * Creates a review of a product, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `IDEMPOTENCY_KEY_IN_USE`, `REVIEW_ALREADY_EXISTS`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(productId: number, body: WriteReview, options?: CreateOptions): Promise<Result<Review>>;

  /**
   * Read a review of a product.
   *
   * Returns a review of a product with its `ETag`.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`
   */
  getOfProduct(productId: number, reviewId: number, options?: RequestOptions): Promise<Result<Review>>;

  /**
   * Replace a review of a product.
   *
   * Replaces every writable field of a review of a product: one that is left out goes back to its default.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  replace(
    productId: number,
    reviewId: number,
    body: WriteReview,
    options?: WriteOptions,
  ): Promise<Result<Review>>;

  /**
   * Change some fields of a review of a product.
   *
   * Changes the fields of a review of a product that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(
    productId: number,
    reviewId: number,
    body: PatchReview,
    options?: WriteOptions,
  ): Promise<Result<Review>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(
    productId: number,
    reviewId: number,
    change: Change<Review, PatchReview>,
    options?: RequestOptions,
  ): Promise<Result<Review>>;

  /**
   * Delete a review of a product.
   *
   * Deletes a review of a product for good. The response is 204, without a body.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`
   */
  delete(productId: number, reviewId: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export type UsersSort =
  | 'createdAt:asc'
  | 'createdAt:desc'
  | 'email:asc'
  | 'email:desc'
  | 'id:asc'
  | 'id:desc'
  | 'relevance:asc'
  | 'relevance:desc';

export interface UsersQuery extends ListQuery<UsersSort> {
  /** Words to search for, all of which are found, the last by its beginning; `"a phrase"`, `or` and `-without` are understood, accents, marks and case make no difference. A row with one of the words itself comes before rows where it only begins a word. */
  readonly q?: string | undefined;
  /** Only where `role` equals this. */
  readonly role?: 'admin' | 'editor' | 'viewer' | undefined;
  /** Only where `id` equals this, or any of these. */
  readonly id?: number | readonly number[] | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface UsersResource {
  /**
   * List users.
   *
   * Returns one page of users, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: UsersQuery, options?: RequestOptions): List<User>;

  /**
   * Register a user.
   *
   * Without credentials you register yourself, as a `viewer`; log in afterwards by `POST /login`. With the permission `manage_users` you create any user and choose the `role`. Where the service sets `REGISTRATION=closed`, only they may.
   *
   * Creates a user, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `EMAIL_ALREADY_EXISTS`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(body: CreateUser, options?: CreateOptions): Promise<Result<User>>;

  /**
   * Read your own user.
   *
   * Tells a page who is logged in; it answers for every kind of credential, an API key by its owner.
   *
   * Returns a user with its `ETag`.
   *
   * @throws ApiError `USER_NOT_FOUND`
   */
  me(options?: RequestOptions): Promise<Result<User>>;

  /**
   * Read a user.
   *
   * Returns a user with its `ETag`.
   *
   * @throws ApiError `USER_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<User>>;

  /**
   * Replace a user.
   *
   * Replaces every writable field of a user: one that is left out goes back to its default.
   *
   * @throws ApiError `USER_NOT_FOUND`, `EMAIL_ALREADY_EXISTS`, `LAST_ADMIN`, `UNPROCESSABLE_ENTITY`
   */
  replace(id: number, body: ReplaceUser, options?: WriteOptions): Promise<Result<User>>;

  /**
   * Change some fields of a user.
   *
   * Changes the fields of a user that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `USER_NOT_FOUND`, `EMAIL_ALREADY_EXISTS`, `LAST_ADMIN`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchUser, options?: WriteOptions): Promise<Result<User>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(id: number, change: Change<User, PatchUser>, options?: RequestOptions): Promise<Result<User>>;

  /**
   * Delete a user.
   *
   * Deletes a user for good. The response is 204, without a body.
   *
   * @throws ApiError `USER_NOT_FOUND`, `LAST_ADMIN`, `USER_HAS_ORDERS`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export type OrdersSort =
  | 'createdAt:asc'
  | 'createdAt:desc'
  | 'total:asc'
  | 'total:desc'
  | 'id:asc'
  | 'id:desc';

export interface OrdersQuery extends ListQuery<OrdersSort> {
  /** Only where `userId` equals this. */
  readonly userId?: number | undefined;
  /** Only where `status` equals this, or any of these. */
  readonly status?:
    | 'pending'
    | 'paid'
    | 'shipped'
    | 'delivered'
    | 'cancelled'
    | readonly ('pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled')[]
    | undefined;
  /** Only where `total` is at least this. */
  readonly minTotal?: number | undefined;
  /** Only where `total` is at most this. */
  readonly maxTotal?: number | undefined;
  /** Only where `id` equals this, or any of these. */
  readonly id?: number | readonly number[] | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface OrdersOfUserQuery extends ListQuery<OrdersSort> {
  /** Only where `status` equals this, or any of these. */
  readonly status?:
    | 'pending'
    | 'paid'
    | 'shipped'
    | 'delivered'
    | 'cancelled'
    | readonly ('pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled')[]
    | undefined;
  /** Only where `total` is at least this. */
  readonly minTotal?: number | undefined;
  /** Only where `total` is at most this. */
  readonly maxTotal?: number | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface OrdersResource {
  /**
   * List orders.
   *
   * Returns one page of orders, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: OrdersQuery, options?: RequestOptions): List<Order>;

  /**
   * Read an order.
   *
   * Returns an order with its `ETag`.
   *
   * @throws ApiError `ORDER_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<Order>>;

  /**
   * List the orders of a user.
   *
   * Returns one page of the orders of a user, and how to get the next one.
   *
   * @throws ApiError `USER_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  listOfUser(userId: number, query?: OrdersOfUserQuery, options?: RequestOptions): List<Order>;

  /**
   * Place an order.
   *
   * Names and prices of the products are copied, and `total` is computed from them. An unknown product is 422 with `PRODUCT_NOT_FOUND` in `details`; one that is not in stock is 409 `PRODUCT_OUT_OF_STOCK`.
   *
   * Creates an order of a user, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `USER_NOT_FOUND`, `IDEMPOTENCY_KEY_IN_USE`, `PRODUCT_OUT_OF_STOCK`, `IDEMPOTENCY_KEY_REUSED`, `ORDER_TOTAL_TOO_LARGE`, `UNPROCESSABLE_ENTITY`
   */
  create(userId: number, body: CreateOrder, options?: CreateOptions): Promise<Result<Order>>;

  /**
   * Read an order of a user.
   *
   * Returns an order of a user with its `ETag`.
   *
   * @throws ApiError `ORDER_NOT_FOUND`
   */
  getOfUser(userId: number, orderId: number, options?: RequestOptions): Promise<Result<Order>>;

  /**
   * Move an order to another status.
   *
   * | status | moves to | items can change | can be deleted |
   * | --- | --- | --- | --- |
   * | `pending` | `paid` by the staff; `cancelled` by the customer or the staff | yes | yes |
   * | `paid` | `shipped` by the staff; `cancelled` by the customer or the staff | no | no |
   * | `shipped` | `delivered` by the staff | no | no |
   * | `delivered` | nothing: it is final | no | no |
   * | `cancelled` | nothing: it is final | no | yes |
   *
   * Any other move is 409 `INVALID_STATUS_TRANSITION`.
   *
   * Changes the fields of an order of a user that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `INVALID_STATUS_TRANSITION`, `UNPROCESSABLE_ENTITY`
   */
  patch(userId: number, orderId: number, body: PatchOrder, options?: WriteOptions): Promise<Result<Order>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(
    userId: number,
    orderId: number,
    change: Change<Order, PatchOrder>,
    options?: RequestOptions,
  ): Promise<Result<Order>>;

  /**
   * Delete an order of a user.
   *
   * Deletes an order of a user for good. The response is 204, without a body.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `ORDER_NOT_DELETABLE`
   */
  delete(userId: number, orderId: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export type OrderItemsSort = 'createdAt:asc' | 'createdAt:desc' | 'id:asc' | 'id:desc';

export interface OrderItemsQuery extends ListQuery<OrderItemsSort> {
  /** Only where `orderId` equals this. */
  readonly orderId?: number | undefined;
  /** Only where `productId` equals this. */
  readonly productId?: number | undefined;
  /** Only where `id` equals this, or any of these. */
  readonly id?: number | readonly number[] | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface OrderItemsOfOrderQuery extends ListQuery<OrderItemsSort> {
  /** Only where `productId` equals this. */
  readonly productId?: number | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface OrderItemsResource {
  /**
   * List order items.
   *
   * Returns one page of order items, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: OrderItemsQuery, options?: RequestOptions): List<OrderItem>;

  /**
   * Read an order item.
   *
   * Returns an order item with its `ETag`.
   *
   * @throws ApiError `ORDER_ITEM_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<OrderItem>>;

  /**
   * List the items of an order.
   *
   * Returns one page of the items of an order, and how to get the next one.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  listOfOrder(
    userId: number,
    orderId: number,
    query?: OrderItemsOfOrderQuery,
    options?: RequestOptions,
  ): List<OrderItem>;

  /**
   * Add an item to a pending order.
   *
   * The price of the product is copied, and the `total` of the order follows.
   *
   * Creates an item of an order, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `IDEMPOTENCY_KEY_IN_USE`, `ORDER_ITEM_ALREADY_EXISTS`, `ORDER_ITEM_COUNT`, `ORDER_NOT_EDITABLE`, `PRODUCT_OUT_OF_STOCK`, `IDEMPOTENCY_KEY_REUSED`, `ORDER_TOTAL_TOO_LARGE`, `UNPROCESSABLE_ENTITY`
   */
  create(
    userId: number,
    orderId: number,
    body: NewOrderItem,
    options?: CreateOptions,
  ): Promise<Result<OrderItem>>;

  /**
   * Read an item of an order.
   *
   * Returns an item of an order with its `ETag`.
   *
   * @throws ApiError `ORDER_ITEM_NOT_FOUND`
   */
  getOfOrder(
    userId: number,
    orderId: number,
    itemId: number,
    options?: RequestOptions,
  ): Promise<Result<OrderItem>>;

  /**
   * Change an item of a pending order.
   *
   * A quantity can always be lowered. To raise it is 409 `PRODUCT_OUT_OF_STOCK` if the product is out of stock, no longer exists, or costs more than when it was ordered.
   *
   * Changes the fields of an item of an order that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `ORDER_ITEM_NOT_FOUND`, `ORDER_NOT_FOUND`, `ORDER_ITEM_ALREADY_EXISTS`, `ORDER_ITEM_COUNT`, `ORDER_NOT_EDITABLE`, `PRODUCT_OUT_OF_STOCK`, `ORDER_TOTAL_TOO_LARGE`, `UNPROCESSABLE_ENTITY`
   */
  patch(
    userId: number,
    orderId: number,
    itemId: number,
    body: PatchOrderItem,
    options?: WriteOptions,
  ): Promise<Result<OrderItem>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(
    userId: number,
    orderId: number,
    itemId: number,
    change: Change<OrderItem, PatchOrderItem>,
    options?: RequestOptions,
  ): Promise<Result<OrderItem>>;

  /**
   * Delete an item of a pending order.
   *
   * Deletes an item of an order for good. The response is 204, without a body.
   *
   * @throws ApiError `ORDER_ITEM_NOT_FOUND`, `ORDER_NOT_FOUND`, `ORDER_ITEM_COUNT`, `ORDER_NOT_EDITABLE`
   */
  delete(userId: number, orderId: number, itemId: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export type SessionsSort =
  | 'createdAt:asc'
  | 'createdAt:desc'
  | 'lastSeenAt:asc'
  | 'lastSeenAt:desc'
  | 'id:asc'
  | 'id:desc';

export interface SessionsQuery extends ListQuery<SessionsSort> {
  /** Only where `id` equals this, or any of these. */
  readonly id?: number | readonly number[] | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface SessionsResource {
  /**
   * List your logins.
   *
   * A login is one entry, whether it issued tokens, a session or both; `current` marks the one of this request.
   *
   * Returns one page of sessions, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: SessionsQuery, options?: RequestOptions): List<Session>;

  /**
   * Read one of your logins.
   *
   * Returns a session with its `ETag`.
   *
   * @throws ApiError `SESSION_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<Session>>;

  /**
   * End a login: its session and its refresh tokens.
   *
   * Logs out the browser or the app of that login. Its access token works until it expires, but no longer creates or changes credentials.
   *
   * Deletes a session for good. The response is 204, without a body.
   *
   * @throws ApiError `SESSION_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export type ApiKeysSort = 'createdAt:asc' | 'createdAt:desc' | 'id:asc' | 'id:desc';

export interface ApiKeysQuery extends ListQuery<ApiKeysSort> {
  /** Only where `userId` equals this. */
  readonly userId?: number | undefined;
  /** Only where `id` equals this, or any of these. */
  readonly id?: number | readonly number[] | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface ApiKeysResource {
  /**
   * List your API keys; with manage_users, those of all users.
   *
   * Returns one page of API keys, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: ApiKeysQuery, options?: RequestOptions): List<ApiKey>;

  /**
   * Create an API key, which only this response shows.
   *
   * Programs send the `key` as `X-API-Key`. Store it now: no later response shows it. It may have some of your permissions, and loses those that you lose.
   *
   * Creates an API key, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `API_KEY_LIMIT_REACHED`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(body: CreateApiKey, options?: CreateOptions): Promise<Result<CreatedApiKey>>;

  /**
   * Read an API key.
   *
   * Returns an API key with its `ETag`.
   *
   * @throws ApiError `API_KEY_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<ApiKey>>;

  /**
   * Rename an API key or change its permissions.
   *
   * Changes the fields of an API key that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `API_KEY_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchApiKey, options?: WriteOptions): Promise<Result<ApiKey>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(id: number, change: Change<ApiKey, PatchApiKey>, options?: RequestOptions): Promise<Result<ApiKey>>;

  /**
   * Revoke an API key.
   *
   * Takes hold with the next request that sends the key.
   *
   * Deletes an API key for good. The response is 204, without a body.
   *
   * @throws ApiError `API_KEY_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export type AccessGrantsSort = 'createdAt:asc' | 'createdAt:desc' | 'id:asc' | 'id:desc';

export interface AccessGrantsQuery extends ListQuery<AccessGrantsSort> {
  /** Only where `userId` equals this. */
  readonly userId?: number | undefined;
  /** Only where `apiKeyId` equals this. */
  readonly apiKeyId?: number | undefined;
  /** Only where `resourceType` equals this. */
  readonly resourceType?: 'product' | 'user' | 'order' | 'review' | undefined;
  /** Only where `resourceId` equals this. */
  readonly resourceId?: number | undefined;
  /** Only where `id` equals this, or any of these. */
  readonly id?: number | readonly number[] | undefined;
  /** Only where `createdAt` is at least this. */
  readonly createdFrom?: string | undefined;
  /** Only where `createdAt` is less than this. */
  readonly createdBefore?: string | undefined;
}

export interface AccessGrantsResource {
  /**
   * List access grants.
   *
   * Returns one page of access grants, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: AccessGrantsQuery, options?: RequestOptions): List<AccessGrant>;

  /**
   * Allow or deny a user or an API key something with one resource.
   *
   * A grant is an exception to roles: an `allow` adds permissions on one resource and what belongs to it, a `deny` takes them away, and wins. It takes hold within a second.
   *
   * Creates an access grant, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(body: CreateAccessGrant, options?: CreateOptions): Promise<Result<AccessGrant>>;

  /**
   * Read an access grant.
   *
   * Returns an access grant with its `ETag`.
   *
   * @throws ApiError `ACCESS_GRANT_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<AccessGrant>>;

  /**
   * Remove an access grant.
   *
   * Deletes an access grant for good. The response is 204, without a body.
   *
   * @throws ApiError `ACCESS_GRANT_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface ProductsResourceV2 {
  /**
   * List products.
   *
   * Returns one page of products, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: ProductsQuery, options?: RequestOptions): List<ProductV2>;

  /**
   * Create a product.
   *
   * Creates a product, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(body: CreateProductV2, options?: CreateOptions): Promise<Result<ProductV2>>;

  /**
   * Read a product.
   *
   * Returns a product with its `ETag`.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<ProductV2>>;

  /**
   * Replace a product.
   *
   * Replaces every writable field of a product: one that is left out goes back to its default.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  replace(id: number, body: ReplaceProductV2, options?: WriteOptions): Promise<Result<ProductV2>>;

  /**
   * Change some fields of a product.
   *
   * Changes the fields of a product that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchProductV2, options?: WriteOptions): Promise<Result<ProductV2>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(
    id: number,
    change: Change<ProductV2, PatchProductV2>,
    options?: RequestOptions,
  ): Promise<Result<ProductV2>>;

  /**
   * Delete a product.
   *
   * Deletes a product for good. The response is 204, without a body.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;

  /**
   * Read the facets of products.
   *
   * Counts products by their values, for the filters of a page.
   *
   * The rows are those that the filters and `q` leave, all of them for each facet: a value that a filter rules out is not among those that are counted.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  facets(query?: ProductsFacetsQuery, options?: RequestOptions): Promise<Result<ProductFacets>>;

  /**
   * Create, change and delete products at once.
   *
   * Creates, changes and deletes products, up to 100 in one request.
   *
   * Carries out the operations in their order, each as its own request would be: by the permission, grants and conditions of that. By default all are done or none, and the first fault decides the response: its `details` name the fields as `operations.3.price`, and without details its message begins with `operations.3:`. With `atomic: false` each has its own result, and the response is 200. Each operation counts as a request in the rate limit: where fewer are left, the whole batch is answered with 429.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  batch(body: ProductBatchV2, options?: CreateOptions): Promise<Result<ProductBatchResultsV2>>;
}

export interface ReviewsResourceV2 {
  /**
   * List reviews.
   *
   * Returns one page of reviews, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: ReviewsQuery, options?: RequestOptions): List<ReviewV2>;

  /**
   * Read a review.
   *
   * Returns a review with its `ETag`.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<ReviewV2>>;

  /**
   * List the reviews of a product.
   *
   * Returns one page of the reviews of a product, and how to get the next one.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  listOfProduct(productId: number, query?: ReviewsOfProductQuery, options?: RequestOptions): List<ReviewV2>;

  /**
   * Create a review of a product.
   *
   * Creates a review of a product, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `IDEMPOTENCY_KEY_IN_USE`, `REVIEW_ALREADY_EXISTS`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(productId: number, body: WriteReview, options?: CreateOptions): Promise<Result<ReviewV2>>;

  /**
   * Read a review of a product.
   *
   * Returns a review of a product with its `ETag`.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`
   */
  getOfProduct(productId: number, reviewId: number, options?: RequestOptions): Promise<Result<ReviewV2>>;

  /**
   * Replace a review of a product.
   *
   * Replaces every writable field of a review of a product: one that is left out goes back to its default.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  replace(
    productId: number,
    reviewId: number,
    body: WriteReview,
    options?: WriteOptions,
  ): Promise<Result<ReviewV2>>;

  /**
   * Change some fields of a review of a product.
   *
   * Changes the fields of a review of a product that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(
    productId: number,
    reviewId: number,
    body: PatchReview,
    options?: WriteOptions,
  ): Promise<Result<ReviewV2>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(
    productId: number,
    reviewId: number,
    change: Change<ReviewV2, PatchReview>,
    options?: RequestOptions,
  ): Promise<Result<ReviewV2>>;

  /**
   * Delete a review of a product.
   *
   * Deletes a review of a product for good. The response is 204, without a body.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`
   */
  delete(productId: number, reviewId: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface UsersResourceV2 {
  /**
   * List users.
   *
   * Returns one page of users, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: UsersQuery, options?: RequestOptions): List<UserV2>;

  /**
   * Register a user.
   *
   * Without credentials you register yourself, as a `viewer`; log in afterwards by `POST /login`. With the permission `manage_users` you create any user and choose the `role`. Where the service sets `REGISTRATION=closed`, only they may.
   *
   * Creates a user, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `EMAIL_ALREADY_EXISTS`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(body: CreateUser, options?: CreateOptions): Promise<Result<UserV2>>;

  /**
   * Read your own user.
   *
   * Tells a page who is logged in; it answers for every kind of credential, an API key by its owner.
   *
   * Returns a user with its `ETag`.
   *
   * @throws ApiError `USER_NOT_FOUND`
   */
  me(options?: RequestOptions): Promise<Result<UserV2>>;

  /**
   * Read a user.
   *
   * Returns a user with its `ETag`.
   *
   * @throws ApiError `USER_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<UserV2>>;

  /**
   * Replace a user.
   *
   * Replaces every writable field of a user: one that is left out goes back to its default.
   *
   * @throws ApiError `USER_NOT_FOUND`, `EMAIL_ALREADY_EXISTS`, `LAST_ADMIN`, `UNPROCESSABLE_ENTITY`
   */
  replace(id: number, body: ReplaceUser, options?: WriteOptions): Promise<Result<UserV2>>;

  /**
   * Change some fields of a user.
   *
   * Changes the fields of a user that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `USER_NOT_FOUND`, `EMAIL_ALREADY_EXISTS`, `LAST_ADMIN`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchUser, options?: WriteOptions): Promise<Result<UserV2>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(id: number, change: Change<UserV2, PatchUser>, options?: RequestOptions): Promise<Result<UserV2>>;

  /**
   * Delete a user.
   *
   * Deletes a user for good. The response is 204, without a body.
   *
   * @throws ApiError `USER_NOT_FOUND`, `LAST_ADMIN`, `USER_HAS_ORDERS`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface OrdersResourceV2 {
  /**
   * List orders.
   *
   * Returns one page of orders, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: OrdersQuery, options?: RequestOptions): List<OrderV2>;

  /**
   * Read an order.
   *
   * Returns an order with its `ETag`.
   *
   * @throws ApiError `ORDER_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<OrderV2>>;

  /**
   * List the orders of a user.
   *
   * Returns one page of the orders of a user, and how to get the next one.
   *
   * @throws ApiError `USER_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  listOfUser(userId: number, query?: OrdersOfUserQuery, options?: RequestOptions): List<OrderV2>;

  /**
   * Place an order.
   *
   * Names and prices of the products are copied, and `total` is computed from them. An unknown product is 422 with `PRODUCT_NOT_FOUND` in `details`; one that is not in stock is 409 `PRODUCT_OUT_OF_STOCK`.
   *
   * Creates an order of a user, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `USER_NOT_FOUND`, `IDEMPOTENCY_KEY_IN_USE`, `PRODUCT_OUT_OF_STOCK`, `IDEMPOTENCY_KEY_REUSED`, `ORDER_TOTAL_TOO_LARGE`, `UNPROCESSABLE_ENTITY`
   */
  create(userId: number, body: CreateOrder, options?: CreateOptions): Promise<Result<OrderV2>>;

  /**
   * Read an order of a user.
   *
   * Returns an order of a user with its `ETag`.
   *
   * @throws ApiError `ORDER_NOT_FOUND`
   */
  getOfUser(userId: number, orderId: number, options?: RequestOptions): Promise<Result<OrderV2>>;

  /**
   * Move an order to another status.
   *
   * | status | moves to | items can change | can be deleted |
   * | --- | --- | --- | --- |
   * | `pending` | `paid` by the staff; `cancelled` by the customer or the staff | yes | yes |
   * | `paid` | `shipped` by the staff; `cancelled` by the customer or the staff | no | no |
   * | `shipped` | `delivered` by the staff | no | no |
   * | `delivered` | nothing: it is final | no | no |
   * | `cancelled` | nothing: it is final | no | yes |
   *
   * Any other move is 409 `INVALID_STATUS_TRANSITION`.
   *
   * Changes the fields of an order of a user that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `INVALID_STATUS_TRANSITION`, `UNPROCESSABLE_ENTITY`
   */
  patch(userId: number, orderId: number, body: PatchOrder, options?: WriteOptions): Promise<Result<OrderV2>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(
    userId: number,
    orderId: number,
    change: Change<OrderV2, PatchOrder>,
    options?: RequestOptions,
  ): Promise<Result<OrderV2>>;

  /**
   * Delete an order of a user.
   *
   * Deletes an order of a user for good. The response is 204, without a body.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `ORDER_NOT_DELETABLE`
   */
  delete(userId: number, orderId: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface OrderItemsResourceV2 {
  /**
   * List order items.
   *
   * Returns one page of order items, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: OrderItemsQuery, options?: RequestOptions): List<OrderItemV2>;

  /**
   * Read an order item.
   *
   * Returns an order item with its `ETag`.
   *
   * @throws ApiError `ORDER_ITEM_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<OrderItemV2>>;

  /**
   * List the items of an order.
   *
   * Returns one page of the items of an order, and how to get the next one.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  listOfOrder(
    userId: number,
    orderId: number,
    query?: OrderItemsOfOrderQuery,
    options?: RequestOptions,
  ): List<OrderItemV2>;

  /**
   * Add an item to a pending order.
   *
   * The price of the product is copied, and the `total` of the order follows.
   *
   * Creates an item of an order, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `IDEMPOTENCY_KEY_IN_USE`, `ORDER_ITEM_ALREADY_EXISTS`, `ORDER_ITEM_COUNT`, `ORDER_NOT_EDITABLE`, `PRODUCT_OUT_OF_STOCK`, `IDEMPOTENCY_KEY_REUSED`, `ORDER_TOTAL_TOO_LARGE`, `UNPROCESSABLE_ENTITY`
   */
  create(
    userId: number,
    orderId: number,
    body: NewOrderItem,
    options?: CreateOptions,
  ): Promise<Result<OrderItemV2>>;

  /**
   * Read an item of an order.
   *
   * Returns an item of an order with its `ETag`.
   *
   * @throws ApiError `ORDER_ITEM_NOT_FOUND`
   */
  getOfOrder(
    userId: number,
    orderId: number,
    itemId: number,
    options?: RequestOptions,
  ): Promise<Result<OrderItemV2>>;

  /**
   * Change an item of a pending order.
   *
   * A quantity can always be lowered. To raise it is 409 `PRODUCT_OUT_OF_STOCK` if the product is out of stock, no longer exists, or costs more than when it was ordered.
   *
   * Changes the fields of an item of an order that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `ORDER_ITEM_NOT_FOUND`, `ORDER_NOT_FOUND`, `ORDER_ITEM_ALREADY_EXISTS`, `ORDER_ITEM_COUNT`, `ORDER_NOT_EDITABLE`, `PRODUCT_OUT_OF_STOCK`, `ORDER_TOTAL_TOO_LARGE`, `UNPROCESSABLE_ENTITY`
   */
  patch(
    userId: number,
    orderId: number,
    itemId: number,
    body: PatchOrderItem,
    options?: WriteOptions,
  ): Promise<Result<OrderItemV2>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(
    userId: number,
    orderId: number,
    itemId: number,
    change: Change<OrderItemV2, PatchOrderItem>,
    options?: RequestOptions,
  ): Promise<Result<OrderItemV2>>;

  /**
   * Delete an item of a pending order.
   *
   * Deletes an item of an order for good. The response is 204, without a body.
   *
   * @throws ApiError `ORDER_ITEM_NOT_FOUND`, `ORDER_NOT_FOUND`, `ORDER_ITEM_COUNT`, `ORDER_NOT_EDITABLE`
   */
  delete(userId: number, orderId: number, itemId: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface SessionsResourceV2 {
  /**
   * List your logins.
   *
   * A login is one entry, whether it issued tokens, a session or both; `current` marks the one of this request.
   *
   * Returns one page of sessions, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: SessionsQuery, options?: RequestOptions): List<SessionV2>;

  /**
   * Read one of your logins.
   *
   * Returns a session with its `ETag`.
   *
   * @throws ApiError `SESSION_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<SessionV2>>;

  /**
   * End a login: its session and its refresh tokens.
   *
   * Logs out the browser or the app of that login. Its access token works until it expires, but no longer creates or changes credentials.
   *
   * Deletes a session for good. The response is 204, without a body.
   *
   * @throws ApiError `SESSION_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface ApiKeysResourceV2 {
  /**
   * List your API keys; with manage_users, those of all users.
   *
   * Returns one page of API keys, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: ApiKeysQuery, options?: RequestOptions): List<ApiKeyV2>;

  /**
   * Create an API key, which only this response shows.
   *
   * Programs send the `key` as `X-API-Key`. Store it now: no later response shows it. It may have some of your permissions, and loses those that you lose.
   *
   * Creates an API key, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `API_KEY_LIMIT_REACHED`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(body: CreateApiKey, options?: CreateOptions): Promise<Result<CreatedApiKeyV2>>;

  /**
   * Read an API key.
   *
   * Returns an API key with its `ETag`.
   *
   * @throws ApiError `API_KEY_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<ApiKeyV2>>;

  /**
   * Rename an API key or change its permissions.
   *
   * Changes the fields of an API key that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.
   *
   * @throws ApiError `API_KEY_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchApiKey, options?: WriteOptions): Promise<Result<ApiKeyV2>>;

  /** Reads, asks `change`, and writes unless somebody has written in between: then again. */
  update(
    id: number,
    change: Change<ApiKeyV2, PatchApiKey>,
    options?: RequestOptions,
  ): Promise<Result<ApiKeyV2>>;

  /**
   * Revoke an API key.
   *
   * Takes hold with the next request that sends the key.
   *
   * Deletes an API key for good. The response is 204, without a body.
   *
   * @throws ApiError `API_KEY_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface AccessGrantsResourceV2 {
  /**
   * List access grants.
   *
   * Returns one page of access grants, and how to get the next one.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: AccessGrantsQuery, options?: RequestOptions): List<AccessGrantV2>;

  /**
   * Allow or deny a user or an API key something with one resource.
   *
   * A grant is an exception to roles: an `allow` adds permissions on one resource and what belongs to it, a `deny` takes them away, and wins. It takes hold within a second.
   *
   * Creates an access grant, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(body: CreateAccessGrant, options?: CreateOptions): Promise<Result<AccessGrantV2>>;

  /**
   * Read an access grant.
   *
   * Returns an access grant with its `ETag`.
   *
   * @throws ApiError `ACCESS_GRANT_NOT_FOUND`
   */
  get(id: number, options?: RequestOptions): Promise<Result<AccessGrantV2>>;

  /**
   * Remove an access grant.
   *
   * Deletes an access grant for good. The response is 204, without a body.
   *
   * @throws ApiError `ACCESS_GRANT_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

/** What `login()` answers. */
export type LoginResponse = IssuedCredentials;

/** The resources of each version. */
export interface Api {
  readonly v1: {
    readonly authentication: AuthenticationResource;
    readonly products: ProductsResource;
    readonly reviews: ReviewsResource;
    readonly users: UsersResource;
    readonly orders: OrdersResource;
    readonly orderItems: OrderItemsResource;
    readonly sessions: SessionsResource;
    readonly apiKeys: ApiKeysResource;
    readonly accessGrants: AccessGrantsResource;
  };
  readonly v2: {
    readonly authentication: AuthenticationResource;
    readonly products: ProductsResourceV2;
    readonly reviews: ReviewsResourceV2;
    readonly users: UsersResourceV2;
    readonly orders: OrdersResourceV2;
    readonly orderItems: OrderItemsResourceV2;
    readonly sessions: SessionsResourceV2;
    readonly apiKeys: ApiKeysResourceV2;
    readonly accessGrants: AccessGrantsResourceV2;
  };
}
