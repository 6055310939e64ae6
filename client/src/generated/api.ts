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
   * Request a mail with a link to set a new password.
   *
   * The response is the same whether or not the user exists. The link can be used once, within 30 minutes. An account gets at most one mail a minute.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  passwordReset(body: PasswordResetRequest, options?: RequestOptions): Promise<Result<undefined>>;

  /**
   * Set a new password with the token from a mail.
   *
   * Ends all logins of the user, with their sessions and refresh tokens.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  confirm(body: PasswordResetConfirmation, options?: RequestOptions): Promise<Result<undefined>>;

  /**
   * Request a mail with a link to confirm your e-mail.
   *
   * The link can be used once, within a day. If the e-mail is already confirmed, no mail is sent.
   *
   * Needs no body. A JSON body is ignored.
   */
  emailVerification(options?: RequestOptions): Promise<Result<undefined>>;

  /**
   * Confirm an e-mail with the token from a mail.
   *
   * The link in the mail opens a page. The page sends the `token` from its URL. A token can be used once.
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
  /** Words to search for. An item must contain all of them, and the last one may be the beginning of a word. You can also write `"a phrase"`, `or` and `-without`. Case, accents and other marks are ignored. Items that contain the last word itself come before items that only contain longer words. */
  readonly q?: string | undefined;
  /** Filters by `category`. Repeat the parameter to match any of several values. */
  readonly category?: string | readonly string[] | undefined;
  /** Filters by `inStock`. */
  readonly inStock?: boolean | undefined;
  /** Returns only items whose `price` is at least this value. */
  readonly minPrice?: number | undefined;
  /** Returns only items whose `price` is at most this value. */
  readonly maxPrice?: number | undefined;
  /** Returns only items whose `rating` is at least this value. */
  readonly minRating?: number | undefined;
  /** Filters by `id`. Repeat the parameter to match any of several values. */
  readonly id?: number | readonly number[] | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface ProductsFacetsQuery {
  /** Words to search for. An item must contain all of them, and the last one may be the beginning of a word. You can also write `"a phrase"`, `or` and `-without`. Case, accents and other marks are ignored. Items that contain the last word itself come before items that only contain longer words. */
  readonly q?: string | undefined;
  /** Filters by `category`. Repeat the parameter to match any of several values. */
  readonly category?: string | readonly string[] | undefined;
  /** Filters by `inStock`. */
  readonly inStock?: boolean | undefined;
  /** Returns only items whose `price` is at least this value. */
  readonly minPrice?: number | undefined;
  /** Returns only items whose `price` is at most this value. */
  readonly maxPrice?: number | undefined;
  /** Returns only items whose `rating` is at least this value. */
  readonly minRating?: number | undefined;
  /** Filters by `id`. Repeat the parameter to match any of several values. */
  readonly id?: number | readonly number[] | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface ProductsResource {
  /**
   * List products.
   *
   * Returns one page of products, and links to other pages.
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
   * Counts products by value, so that a page can show how many items each filter would leave.
   *
   * Each facet counts the items that match `q` and all filters. A filter of a property therefore applies to the facet of the same property, too.
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
   * Replaces all writable fields of a product. A field that you leave out gets its default.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  replace(id: number, body: ReplaceProduct, options?: WriteOptions): Promise<Result<Product>>;

  /**
   * Change some fields of a product.
   *
   * Changes only the fields of a product that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchProduct, options?: WriteOptions): Promise<Result<Product>>;

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
  update(
    id: number,
    change: Change<Product, PatchProduct>,
    options?: RequestOptions,
  ): Promise<Result<Product>>;

  /**
   * Delete a product.
   *
   * Deletes a product permanently. The response is 204 without a body.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;

  /**
   * Create, change and delete products at once.
   *
   * Creates, changes and deletes products, up to 100 in one request.
   *
   * Carries out the operations in order. Permissions, grants and conditions apply to each operation as to a single request. By default, either all operations succeed or none is carried out. The first operation that fails then determines the response: its `details` name fields as `operations.3.price`, or its message begins with `operations.3:`. With `atomic: false`, each operation has its own result, and the response is 200. Each operation counts as one request in the rate limit. If too few requests are left, the whole batch gets 429.
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
  /** Words to search for. An item must contain all of them, and the last one may be the beginning of a word. You can also write `"a phrase"`, `or` and `-without`. Case, accents and other marks are ignored. Items that contain the last word itself come before items that only contain longer words. */
  readonly q?: string | undefined;
  /** Filters by `productId`. */
  readonly productId?: number | undefined;
  /** Filters by `userId`. */
  readonly userId?: number | undefined;
  /** Filters by `rating`. */
  readonly rating?: number | undefined;
  /** Returns only items whose `rating` is at least this value. */
  readonly minRating?: number | undefined;
  /** Filters by `id`. Repeat the parameter to match any of several values. */
  readonly id?: number | readonly number[] | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface ReviewsOfProductQuery extends ListQuery<ReviewsSort> {
  /** Words to search for. An item must contain all of them, and the last one may be the beginning of a word. You can also write `"a phrase"`, `or` and `-without`. Case, accents and other marks are ignored. Items that contain the last word itself come before items that only contain longer words. */
  readonly q?: string | undefined;
  /** Filters by `userId`. */
  readonly userId?: number | undefined;
  /** Filters by `rating`. */
  readonly rating?: number | undefined;
  /** Returns only items whose `rating` is at least this value. */
  readonly minRating?: number | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface ReviewsResource {
  /**
   * List reviews.
   *
   * Returns one page of reviews, and links to other pages.
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
   * Returns one page of the reviews of a product, and links to other pages.
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
   * Replaces all writable fields of a review of a product. A field that you leave out gets its default.
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
   * Changes only the fields of a review of a product that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(
    productId: number,
    reviewId: number,
    body: PatchReview,
    options?: WriteOptions,
  ): Promise<Result<Review>>;

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
  update(
    productId: number,
    reviewId: number,
    change: Change<Review, PatchReview>,
    options?: RequestOptions,
  ): Promise<Result<Review>>;

  /**
   * Delete a review of a product.
   *
   * Deletes a review of a product permanently. The response is 204 without a body.
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
  /** Words to search for. An item must contain all of them, and the last one may be the beginning of a word. You can also write `"a phrase"`, `or` and `-without`. Case, accents and other marks are ignored. Items that contain the last word itself come before items that only contain longer words. */
  readonly q?: string | undefined;
  /** Filters by `role`. */
  readonly role?: 'admin' | 'editor' | 'viewer' | undefined;
  /** Filters by `id`. Repeat the parameter to match any of several values. */
  readonly id?: number | readonly number[] | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface UsersResource {
  /**
   * List users.
   *
   * Returns one page of users, and links to other pages.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: UsersQuery, options?: RequestOptions): List<User>;

  /**
   * Register a user.
   *
   * Without credentials, you register yourself as a `viewer`, and can then log in with `POST /login`. With the permission `manage_users`, you can create any user and choose the `role`. If the service sets `REGISTRATION=closed`, only callers with this permission can create users.
   *
   * Creates a user, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `EMAIL_ALREADY_EXISTS`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(body: CreateUser, options?: CreateOptions): Promise<Result<User>>;

  /**
   * Read your own user.
   *
   * Returns the user who is logged in. Works with all kinds of credentials. For an API key, returns its owner.
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
   * Replaces all writable fields of a user. A field that you leave out gets its default.
   *
   * @throws ApiError `USER_NOT_FOUND`, `EMAIL_ALREADY_EXISTS`, `LAST_ADMIN`, `UNPROCESSABLE_ENTITY`
   */
  replace(id: number, body: ReplaceUser, options?: WriteOptions): Promise<Result<User>>;

  /**
   * Change some fields of a user.
   *
   * Changes only the fields of a user that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
   *
   * @throws ApiError `USER_NOT_FOUND`, `EMAIL_ALREADY_EXISTS`, `LAST_ADMIN`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchUser, options?: WriteOptions): Promise<Result<User>>;

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
  update(id: number, change: Change<User, PatchUser>, options?: RequestOptions): Promise<Result<User>>;

  /**
   * Delete a user.
   *
   * Deletes a user permanently. The response is 204 without a body.
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
  /** Filters by `userId`. */
  readonly userId?: number | undefined;
  /** Filters by `status`. Repeat the parameter to match any of several values. */
  readonly status?:
    | 'pending'
    | 'paid'
    | 'shipped'
    | 'delivered'
    | 'cancelled'
    | readonly ('pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled')[]
    | undefined;
  /** Returns only items whose `total` is at least this value. */
  readonly minTotal?: number | undefined;
  /** Returns only items whose `total` is at most this value. */
  readonly maxTotal?: number | undefined;
  /** Filters by `id`. Repeat the parameter to match any of several values. */
  readonly id?: number | readonly number[] | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface OrdersOfUserQuery extends ListQuery<OrdersSort> {
  /** Filters by `status`. Repeat the parameter to match any of several values. */
  readonly status?:
    | 'pending'
    | 'paid'
    | 'shipped'
    | 'delivered'
    | 'cancelled'
    | readonly ('pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled')[]
    | undefined;
  /** Returns only items whose `total` is at least this value. */
  readonly minTotal?: number | undefined;
  /** Returns only items whose `total` is at most this value. */
  readonly maxTotal?: number | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface OrdersResource {
  /**
   * List orders.
   *
   * Returns one page of orders, and links to other pages.
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
   * Returns one page of the orders of a user, and links to other pages.
   *
   * @throws ApiError `USER_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  listOfUser(userId: number, query?: OrdersOfUserQuery, options?: RequestOptions): List<Order>;

  /**
   * Place an order.
   *
   * Copies the names and prices of the products, and computes `total` from them. If a product does not exist, the response is 422 with `PRODUCT_NOT_FOUND` in `details`. If a product is not in stock, the response is 409 `PRODUCT_OUT_OF_STOCK`.
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
   * Change the status of an order.
   *
   * | status | can change to | items can change | can be deleted |
   * | --- | --- | --- | --- |
   * | `pending` | `paid` by staff; `cancelled` by the customer or staff | yes | yes |
   * | `paid` | `shipped` by staff; `cancelled` by the customer or staff | no | no |
   * | `shipped` | `delivered` by staff | no | no |
   * | `delivered` | no other status | no | no |
   * | `cancelled` | no other status | no | yes |
   *
   * Any other change gets 409 `INVALID_STATUS_TRANSITION`.
   *
   * Changes only the fields of an order of a user that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `INVALID_STATUS_TRANSITION`, `UNPROCESSABLE_ENTITY`
   */
  patch(userId: number, orderId: number, body: PatchOrder, options?: WriteOptions): Promise<Result<Order>>;

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
  update(
    userId: number,
    orderId: number,
    change: Change<Order, PatchOrder>,
    options?: RequestOptions,
  ): Promise<Result<Order>>;

  /**
   * Delete an order of a user.
   *
   * Deletes an order of a user permanently. The response is 204 without a body.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `ORDER_NOT_DELETABLE`
   */
  delete(userId: number, orderId: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export type OrderItemsSort = 'createdAt:asc' | 'createdAt:desc' | 'id:asc' | 'id:desc';

export interface OrderItemsQuery extends ListQuery<OrderItemsSort> {
  /** Filters by `orderId`. */
  readonly orderId?: number | undefined;
  /** Filters by `productId`. */
  readonly productId?: number | undefined;
  /** Filters by `id`. Repeat the parameter to match any of several values. */
  readonly id?: number | readonly number[] | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface OrderItemsOfOrderQuery extends ListQuery<OrderItemsSort> {
  /** Filters by `productId`. */
  readonly productId?: number | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface OrderItemsResource {
  /**
   * List order items.
   *
   * Returns one page of order items, and links to other pages.
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
   * Returns one page of the items of an order, and links to other pages.
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
   * Copies the price of the product, and updates the `total` of the order.
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
   * You can always lower the quantity. A higher quantity gets 409 `PRODUCT_OUT_OF_STOCK` if the product is out of stock, no longer exists, or costs more than when it was ordered.
   *
   * Changes only the fields of an item of an order that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
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

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
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
   * Deletes an item of an order permanently. The response is 204 without a body.
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
  /** Filters by `id`. Repeat the parameter to match any of several values. */
  readonly id?: number | readonly number[] | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface SessionsResource {
  /**
   * List your logins.
   *
   * Each login is one item, whether it issued tokens, a session or both. `current` marks the login of the request.
   *
   * Returns one page of sessions, and links to other pages.
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
   * End a login, with its session and its refresh tokens.
   *
   * Logs out the browser or the app of that login. Its access token works until it expires, but can no longer create or change credentials.
   *
   * Deletes a session permanently. The response is 204 without a body.
   *
   * @throws ApiError `SESSION_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export type ApiKeysSort = 'createdAt:asc' | 'createdAt:desc' | 'id:asc' | 'id:desc';

export interface ApiKeysQuery extends ListQuery<ApiKeysSort> {
  /** Filters by `userId`. */
  readonly userId?: number | undefined;
  /** Filters by `id`. Repeat the parameter to match any of several values. */
  readonly id?: number | readonly number[] | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface ApiKeysResource {
  /**
   * List your API keys or, with manage_users, the keys of all users.
   *
   * Returns one page of API keys, and links to other pages.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: ApiKeysQuery, options?: RequestOptions): List<ApiKey>;

  /**
   * Create an API key.
   *
   * Programs send the `key` in the header `X-API-Key`. Store it now: no later response shows it. A key can have any of your permissions. If you lose a permission, the key loses it too.
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
   * Changes only the fields of an API key that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
   *
   * @throws ApiError `API_KEY_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchApiKey, options?: WriteOptions): Promise<Result<ApiKey>>;

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
  update(id: number, change: Change<ApiKey, PatchApiKey>, options?: RequestOptions): Promise<Result<ApiKey>>;

  /**
   * Revoke an API key.
   *
   * The next request with the key is refused.
   *
   * Deletes an API key permanently. The response is 204 without a body.
   *
   * @throws ApiError `API_KEY_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export type AccessGrantsSort = 'createdAt:asc' | 'createdAt:desc' | 'id:asc' | 'id:desc';

export interface AccessGrantsQuery extends ListQuery<AccessGrantsSort> {
  /** Filters by `userId`. */
  readonly userId?: number | undefined;
  /** Filters by `apiKeyId`. */
  readonly apiKeyId?: number | undefined;
  /** Filters by `resourceType`. */
  readonly resourceType?: 'product' | 'user' | 'order' | 'review' | undefined;
  /** Filters by `resourceId`. */
  readonly resourceId?: number | undefined;
  /** Filters by `id`. Repeat the parameter to match any of several values. */
  readonly id?: number | readonly number[] | undefined;
  /** Returns only items whose `createdAt` is at least this value. */
  readonly createdFrom?: string | undefined;
  /** Returns only items whose `createdAt` is less than this value. */
  readonly createdBefore?: string | undefined;
}

export interface AccessGrantsResource {
  /**
   * List access grants.
   *
   * Returns one page of access grants, and links to other pages.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: AccessGrantsQuery, options?: RequestOptions): List<AccessGrant>;

  /**
   * Allow or deny a user or an API key actions on one resource.
   *
   * A grant is an exception to roles. An `allow` adds permissions for one resource and the resources that belong to it. A `deny` removes permissions for these resources, and overrides every `allow`. A grant takes effect within a second.
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
   * Deletes an access grant permanently. The response is 204 without a body.
   *
   * @throws ApiError `ACCESS_GRANT_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface ProductsResourceV2 {
  /**
   * List products.
   *
   * Returns one page of products, and links to other pages.
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
   * Replaces all writable fields of a product. A field that you leave out gets its default.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  replace(id: number, body: ReplaceProductV2, options?: WriteOptions): Promise<Result<ProductV2>>;

  /**
   * Change some fields of a product.
   *
   * Changes only the fields of a product that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchProductV2, options?: WriteOptions): Promise<Result<ProductV2>>;

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
  update(
    id: number,
    change: Change<ProductV2, PatchProductV2>,
    options?: RequestOptions,
  ): Promise<Result<ProductV2>>;

  /**
   * Delete a product.
   *
   * Deletes a product permanently. The response is 204 without a body.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;

  /**
   * Read the facets of products.
   *
   * Counts products by value, so that a page can show how many items each filter would leave.
   *
   * Each facet counts the items that match `q` and all filters. A filter of a property therefore applies to the facet of the same property, too.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  facets(query?: ProductsFacetsQuery, options?: RequestOptions): Promise<Result<ProductFacets>>;

  /**
   * Create, change and delete products at once.
   *
   * Creates, changes and deletes products, up to 100 in one request.
   *
   * Carries out the operations in order. Permissions, grants and conditions apply to each operation as to a single request. By default, either all operations succeed or none is carried out. The first operation that fails then determines the response: its `details` name fields as `operations.3.price`, or its message begins with `operations.3:`. With `atomic: false`, each operation has its own result, and the response is 200. Each operation counts as one request in the rate limit. If too few requests are left, the whole batch gets 429.
   *
   * @throws ApiError `PRODUCT_NOT_FOUND`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  batch(body: ProductBatchV2, options?: CreateOptions): Promise<Result<ProductBatchResultsV2>>;
}

export interface ReviewsResourceV2 {
  /**
   * List reviews.
   *
   * Returns one page of reviews, and links to other pages.
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
   * Returns one page of the reviews of a product, and links to other pages.
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
   * Replaces all writable fields of a review of a product. A field that you leave out gets its default.
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
   * Changes only the fields of a review of a product that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(
    productId: number,
    reviewId: number,
    body: PatchReview,
    options?: WriteOptions,
  ): Promise<Result<ReviewV2>>;

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
  update(
    productId: number,
    reviewId: number,
    change: Change<ReviewV2, PatchReview>,
    options?: RequestOptions,
  ): Promise<Result<ReviewV2>>;

  /**
   * Delete a review of a product.
   *
   * Deletes a review of a product permanently. The response is 204 without a body.
   *
   * @throws ApiError `REVIEW_NOT_FOUND`
   */
  delete(productId: number, reviewId: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface UsersResourceV2 {
  /**
   * List users.
   *
   * Returns one page of users, and links to other pages.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: UsersQuery, options?: RequestOptions): List<UserV2>;

  /**
   * Register a user.
   *
   * Without credentials, you register yourself as a `viewer`, and can then log in with `POST /login`. With the permission `manage_users`, you can create any user and choose the `role`. If the service sets `REGISTRATION=closed`, only callers with this permission can create users.
   *
   * Creates a user, and returns it with its path in `Location` and its `ETag`.
   *
   * @throws ApiError `EMAIL_ALREADY_EXISTS`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`, `UNPROCESSABLE_ENTITY`
   */
  create(body: CreateUser, options?: CreateOptions): Promise<Result<UserV2>>;

  /**
   * Read your own user.
   *
   * Returns the user who is logged in. Works with all kinds of credentials. For an API key, returns its owner.
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
   * Replaces all writable fields of a user. A field that you leave out gets its default.
   *
   * @throws ApiError `USER_NOT_FOUND`, `EMAIL_ALREADY_EXISTS`, `LAST_ADMIN`, `UNPROCESSABLE_ENTITY`
   */
  replace(id: number, body: ReplaceUser, options?: WriteOptions): Promise<Result<UserV2>>;

  /**
   * Change some fields of a user.
   *
   * Changes only the fields of a user that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
   *
   * @throws ApiError `USER_NOT_FOUND`, `EMAIL_ALREADY_EXISTS`, `LAST_ADMIN`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchUser, options?: WriteOptions): Promise<Result<UserV2>>;

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
  update(id: number, change: Change<UserV2, PatchUser>, options?: RequestOptions): Promise<Result<UserV2>>;

  /**
   * Delete a user.
   *
   * Deletes a user permanently. The response is 204 without a body.
   *
   * @throws ApiError `USER_NOT_FOUND`, `LAST_ADMIN`, `USER_HAS_ORDERS`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface OrdersResourceV2 {
  /**
   * List orders.
   *
   * Returns one page of orders, and links to other pages.
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
   * Returns one page of the orders of a user, and links to other pages.
   *
   * @throws ApiError `USER_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  listOfUser(userId: number, query?: OrdersOfUserQuery, options?: RequestOptions): List<OrderV2>;

  /**
   * Place an order.
   *
   * Copies the names and prices of the products, and computes `total` from them. If a product does not exist, the response is 422 with `PRODUCT_NOT_FOUND` in `details`. If a product is not in stock, the response is 409 `PRODUCT_OUT_OF_STOCK`.
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
   * Change the status of an order.
   *
   * | status | can change to | items can change | can be deleted |
   * | --- | --- | --- | --- |
   * | `pending` | `paid` by staff; `cancelled` by the customer or staff | yes | yes |
   * | `paid` | `shipped` by staff; `cancelled` by the customer or staff | no | no |
   * | `shipped` | `delivered` by staff | no | no |
   * | `delivered` | no other status | no | no |
   * | `cancelled` | no other status | no | yes |
   *
   * Any other change gets 409 `INVALID_STATUS_TRANSITION`.
   *
   * Changes only the fields of an order of a user that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `INVALID_STATUS_TRANSITION`, `UNPROCESSABLE_ENTITY`
   */
  patch(userId: number, orderId: number, body: PatchOrder, options?: WriteOptions): Promise<Result<OrderV2>>;

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
  update(
    userId: number,
    orderId: number,
    change: Change<OrderV2, PatchOrder>,
    options?: RequestOptions,
  ): Promise<Result<OrderV2>>;

  /**
   * Delete an order of a user.
   *
   * Deletes an order of a user permanently. The response is 204 without a body.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `ORDER_NOT_DELETABLE`
   */
  delete(userId: number, orderId: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface OrderItemsResourceV2 {
  /**
   * List order items.
   *
   * Returns one page of order items, and links to other pages.
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
   * Returns one page of the items of an order, and links to other pages.
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
   * Copies the price of the product, and updates the `total` of the order.
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
   * You can always lower the quantity. A higher quantity gets 409 `PRODUCT_OUT_OF_STOCK` if the product is out of stock, no longer exists, or costs more than when it was ordered.
   *
   * Changes only the fields of an item of an order that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
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

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
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
   * Deletes an item of an order permanently. The response is 204 without a body.
   *
   * @throws ApiError `ORDER_ITEM_NOT_FOUND`, `ORDER_NOT_FOUND`, `ORDER_ITEM_COUNT`, `ORDER_NOT_EDITABLE`
   */
  delete(userId: number, orderId: number, itemId: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface SessionsResourceV2 {
  /**
   * List your logins.
   *
   * Each login is one item, whether it issued tokens, a session or both. `current` marks the login of the request.
   *
   * Returns one page of sessions, and links to other pages.
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
   * End a login, with its session and its refresh tokens.
   *
   * Logs out the browser or the app of that login. Its access token works until it expires, but can no longer create or change credentials.
   *
   * Deletes a session permanently. The response is 204 without a body.
   *
   * @throws ApiError `SESSION_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface ApiKeysResourceV2 {
  /**
   * List your API keys or, with manage_users, the keys of all users.
   *
   * Returns one page of API keys, and links to other pages.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: ApiKeysQuery, options?: RequestOptions): List<ApiKeyV2>;

  /**
   * Create an API key.
   *
   * Programs send the `key` in the header `X-API-Key`. Store it now: no later response shows it. A key can have any of your permissions. If you lose a permission, the key loses it too.
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
   * Changes only the fields of an API key that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.
   *
   * @throws ApiError `API_KEY_NOT_FOUND`, `UNPROCESSABLE_ENTITY`
   */
  patch(id: number, body: PatchApiKey, options?: WriteOptions): Promise<Result<ApiKeyV2>>;

  /** Reads, calls `change`, and writes. Starts again if somebody else has written in between. */
  update(
    id: number,
    change: Change<ApiKeyV2, PatchApiKey>,
    options?: RequestOptions,
  ): Promise<Result<ApiKeyV2>>;

  /**
   * Revoke an API key.
   *
   * The next request with the key is refused.
   *
   * Deletes an API key permanently. The response is 204 without a body.
   *
   * @throws ApiError `API_KEY_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

export interface AccessGrantsResourceV2 {
  /**
   * List access grants.
   *
   * Returns one page of access grants, and links to other pages.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY`
   */
  list(query?: AccessGrantsQuery, options?: RequestOptions): List<AccessGrantV2>;

  /**
   * Allow or deny a user or an API key actions on one resource.
   *
   * A grant is an exception to roles. An `allow` adds permissions for one resource and the resources that belong to it. A `deny` removes permissions for these resources, and overrides every `allow`. A grant takes effect within a second.
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
   * Deletes an access grant permanently. The response is 204 without a body.
   *
   * @throws ApiError `ACCESS_GRANT_NOT_FOUND`
   */
  delete(id: number, options?: WriteOptions): Promise<Result<undefined>>;
}

/** The response of `login()`. */
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
