// Generated from the OpenAPI document by `plinth client`. Changes are overwritten.

export interface AccessGrant {
  id: number;
  resourceType: 'product' | 'user' | 'order' | 'review';
  resourceId: number;
  /** The user to whom the grant applies, or `null` if it applies to an API key. */
  userId: number | null;
  /** The API key to which the grant applies, or `null` if it applies to a user. */
  apiKeyId: number | null;
  /** 1 to 4 items. */
  permissions: ('read' | 'create' | 'update' | 'delete')[];
  /** A `deny` overrides an `allow`, and an `allow` overrides the role. */
  effect: 'allow' | 'deny';
  /** ISO 8601, UTC. */
  createdAt: string;
}

export interface AccessGrantV2 {
  id: number;
  resourceType: 'product' | 'user' | 'order' | 'review';
  resourceId: number;
  /** The user to whom the grant applies, or `null` if it applies to an API key. */
  userId: number | null;
  /** The API key to which the grant applies, or `null` if it applies to a user. */
  apiKeyId: number | null;
  /** 1 to 4 items. */
  permissions: ('read' | 'create' | 'update' | 'delete')[];
  /** A `deny` overrides an `allow`, and an `allow` overrides the role. */
  effect: 'allow' | 'deny';
  /** ISO 8601, UTC. */
  createdAt: string;
  /** The `ETag` of the resource. Send it in `If-Match` to avoid overwriting changes that you have not seen. */
  etag: string;
}

export interface ApiKey {
  id: number;
  /** The owner. The key acts on behalf of this user. */
  userId: number;
  /** 1 to 200 characters. */
  name: string;
  /**
   * The permissions of the key. The key can use a permission only while its owner has it too.
   *
   * 1 to 5 items.
   */
  permissions: ('create' | 'read' | 'update' | 'delete' | 'manage_users')[];
  /** The first characters of the key. */
  hint: string;
  /**
   * When the key was last used, accurate to a minute. `null` if it has never been used.
   *
   * ISO 8601, UTC.
   */
  lastUsedAt: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
}

export interface ApiKeyV2 {
  id: number;
  /** The owner. The key acts on behalf of this user. */
  userId: number;
  /** 1 to 200 characters. */
  name: string;
  /**
   * The permissions of the key. The key can use a permission only while its owner has it too.
   *
   * 1 to 5 items.
   */
  permissions: ('create' | 'read' | 'update' | 'delete' | 'manage_users')[];
  /** The first characters of the key. */
  hint: string;
  /**
   * When the key was last used, accurate to a minute. `null` if it has never been used.
   *
   * ISO 8601, UTC.
   */
  lastUsedAt: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** The `ETag` of the resource. Send it in `If-Match` to avoid overwriting changes that you have not seen. */
  etag: string;
}

export interface Author {
  id: number;
  /** 1 to 200 characters. */
  name: string | null;
}

/** Send either `userId` or `apiKeyId`, not both. */
export type CreateAccessGrant = {
  resourceType: 'product' | 'user' | 'order' | 'review';
  resourceId: number;
  /** The user to whom the grant applies, or `null` if it applies to an API key. Default: `null`. */
  userId?: number | null;
  /** The API key to which the grant applies, or `null` if it applies to a user. Default: `null`. */
  apiKeyId?: number | null;
  /** 1 to 4 items. */
  permissions: ('read' | 'create' | 'update' | 'delete')[];
  /** A `deny` overrides an `allow`, and an `allow` overrides the role. */
  effect: 'allow' | 'deny';
} & (
  | {
      userId: number;
      apiKeyId?: null;
    }
  | {
      userId?: null;
      apiKeyId: number;
    }
);

export interface CreateApiKey {
  /** 1 to 200 characters. */
  name: string;
  /**
   * The permissions of the key. The key can use a permission only while its owner has it too. Default: `["read"]`.
   *
   * 1 to 5 items.
   */
  permissions?: ('create' | 'read' | 'update' | 'delete' | 'manage_users')[];
}

export interface CreateOrder {
  /**
   * No two items may have the same product.
   *
   * 1 to 100 items.
   */
  items: NewOrderItem[];
}

export interface CreateProduct {
  /** 1 to 200 characters. */
  name: string;
  price: number;
  /** 1 to 100 characters. */
  category: string;
  /** Default: `true`. */
  inStock?: boolean;
}

export interface CreateProductOperation {
  method: 'create';
  body: CreateProduct;
}

export interface CreateProductOperationV2 {
  method: 'create';
  body: CreateProductV2;
}

export interface CreateProductV2 {
  /** 1 to 200 characters. */
  name: string;
  price: number;
  /** 1 to 100 characters. */
  category: string;
  /** Default: `true`. */
  inStock?: boolean;
  /**
   * Default: `null`.
   *
   * 0 to 5000 characters.
   */
  description?: string | null;
}

export interface CreateUser {
  /** At most 254 characters. */
  email: string;
  /**
   * Default: `null`.
   *
   * 1 to 200 characters.
   */
  name?: string | null;
  /** Only a caller with the permission `manage_users` may send it. Default: `viewer`. */
  role?: 'admin' | 'editor' | 'viewer';
  /**
   * At least 8 characters, and not one of the most common passwords. The example is refused: choose your own.
   *
   * 8 to 128 characters.
   */
  password: string;
}

export interface CreatedApiKey {
  id: number;
  /** The owner. The key acts on behalf of this user. */
  userId: number;
  /** 1 to 200 characters. */
  name: string;
  /**
   * The permissions of the key. The key can use a permission only while its owner has it too.
   *
   * 1 to 5 items.
   */
  permissions: ('create' | 'read' | 'update' | 'delete' | 'manage_users')[];
  /** The first characters of the key. */
  hint: string;
  /**
   * When the key was last used, accurate to a minute. `null` if it has never been used.
   *
   * ISO 8601, UTC.
   */
  lastUsedAt: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** The value of the header `X-API-Key`. Only this response shows it. */
  key: string;
}

export interface CreatedApiKeyV2 {
  id: number;
  /** The owner. The key acts on behalf of this user. */
  userId: number;
  /** 1 to 200 characters. */
  name: string;
  /**
   * The permissions of the key. The key can use a permission only while its owner has it too.
   *
   * 1 to 5 items.
   */
  permissions: ('create' | 'read' | 'update' | 'delete' | 'manage_users')[];
  /** The first characters of the key. */
  hint: string;
  /**
   * When the key was last used, accurate to a minute. `null` if it has never been used.
   *
   * ISO 8601, UTC.
   */
  lastUsedAt: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** The value of the header `X-API-Key`. Only this response shows it. */
  key: string;
  /** The `ETag` of the resource. Send it in `If-Match` to avoid overwriting changes that you have not seen. */
  etag: string;
}

export interface DeleteProductOperation {
  method: 'delete';
  id: number;
  /**
   * Like the header `If-Match`: the operation fails with 412 if none of these ETags is current.
   *
   * 0 to 8192 characters.
   */
  ifMatch?: string;
}

export interface DeleteProductOperationV2 {
  method: 'delete';
  id: number;
  /**
   * Like the header `If-Match`: the operation fails with 412 if none of these ETags is current.
   *
   * 0 to 8192 characters.
   */
  ifMatch?: string;
}

export interface EmailVerificationConfirmation {
  /**
   * The `token` in the link of the mail.
   *
   * 1 to 100 characters.
   */
  token: string;
}

/** One fault in one field or parameter. */
export interface ErrorDetailData {
  /** The path of the field in the body, with dots, or the name of the parameter. */
  field: string;
  /** The rule that the value breaks: REQUIRED, WRONG_TYPE, UNKNOWN_FIELD, BAD_CHARACTER, REPEATED, BLANK, TOO_SHORT, TOO_LONG, TOO_SMALL, TOO_LARGE, TOO_PRECISE, TOO_FEW, TOO_MANY, DUPLICATE, TOO_COMMON, BAD_FORMAT, NOT_ALLOWED, NOT_UNIQUE, or a code that the resource defines. */
  code: string;
  /** A message for people. Its wording may change. */
  message: string;
}

/** The access token is absent if `scheme` is `session`. */
export interface IssuedCredentials {
  /**
   * A JWT. Send it as `Authorization: Bearer <accessToken>`.
   *
   * 1 to 4096 characters.
   */
  accessToken?: string;
  tokenType?: 'Bearer';
  /** The number of seconds until the access token expires. */
  expiresIn?: number;
  user: User;
}

export interface NewOrderItem {
  productId: number;
  /** 1 to 1000. */
  quantity: number;
}

export interface OperationError {
  /**
   * The code that a single request would get.
   *
   * 1 to 100 characters.
   */
  code: string;
  /**
   * A message for people. Its wording may change.
   *
   * 1 to 2100 characters.
   */
  message: string;
  /** 400 to 499. */
  status: number;
  /**
   * Present with 400 and 422, and with 409 if a unique value caused it.
   *
   * 0 to 100 items.
   */
  details?: ErrorDetailData[];
}

export interface Order {
  id: number;
  userId: number;
  status: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled';
  /** The sum of all items, exact to two decimal places. */
  total: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** 0 to 100 items. */
  items: OrderItem[];
}

export interface OrderItem {
  id: number;
  orderId: number;
  /** `null` if the product has been deleted. */
  productId: number | null;
  /** The value when the product was ordered. */
  productName: string;
  /** The value when the product was ordered. */
  unitPrice: number;
  /** 1 to 1000. */
  quantity: number;
  lineTotal: number;
}

export interface OrderItemV2 {
  id: number;
  orderId: number;
  /** `null` if the product has been deleted. */
  productId: number | null;
  /** The value when the product was ordered. */
  productName: string;
  /** The value when the product was ordered. */
  unitPrice: number;
  /** 1 to 1000. */
  quantity: number;
  lineTotal: number;
  /** The `ETag` of the resource. Send it in `If-Match` to avoid overwriting changes that you have not seen. */
  etag: string;
}

export interface OrderV2 {
  id: number;
  userId: number;
  status: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled';
  /** The sum of all items, exact to two decimal places. */
  total: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** 0 to 100 items. */
  items: OrderItem[];
  /** The `ETag` of the resource. Send it in `If-Match` to avoid overwriting changes that you have not seen. */
  etag: string;
}

export interface PasswordResetConfirmation {
  /**
   * The `token` in the link of the mail.
   *
   * 1 to 100 characters.
   */
  token: string;
  /**
   * The new password. It must follow the same rules as the password of a new user.
   *
   * 8 to 128 characters.
   */
  password: string;
}

export interface PasswordResetRequest {
  /** At most 254 characters. */
  email: string;
}

export interface PatchApiKey {
  /** 1 to 200 characters. */
  name?: string;
  /**
   * The permissions of the key. The key can use a permission only while its owner has it too.
   *
   * 1 to 5 items.
   */
  permissions?: ('create' | 'read' | 'update' | 'delete' | 'manage_users')[];
}

export interface PatchOrder {
  status?: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled';
}

export interface PatchOrderItem {
  productId?: number;
  /** 1 to 1000. */
  quantity?: number;
}

export interface PatchProduct {
  /** 1 to 200 characters. */
  name?: string;
  price?: number;
  inStock?: boolean;
  /** 1 to 100 characters. */
  category?: string | null;
}

export interface PatchProductV2 {
  /** 1 to 200 characters. */
  name?: string;
  price?: number;
  inStock?: boolean;
  /** 1 to 100 characters. */
  category?: string | null;
  /** 0 to 5000 characters. */
  description?: string | null;
}

export interface PatchReview {
  /** 1 to 5. */
  rating?: number;
  /** 0 to 5000 characters. */
  comment?: string | null;
}

export interface PatchUser {
  /** At most 254 characters. */
  email?: string;
  /** 1 to 200 characters. */
  name?: string | null;
  /** Only a caller with the permission `manage_users` may change it. If you leave it out, it does not change. */
  role?: 'admin' | 'editor' | 'viewer';
  /**
   * If you leave it out, it does not change.
   *
   * 8 to 128 characters.
   */
  password?: string;
  /**
   * Required to change your own e-mail or password.
   *
   * 0 to 128 characters.
   */
  currentPassword?: string;
}

export interface Product {
  id: number;
  /** 1 to 200 characters. */
  name: string;
  price: number;
  inStock: boolean;
  /** 1 to 100 characters. */
  category: string | null;
  /** The average rating in reviews, to two decimal places. `null` if the product has no reviews. */
  rating: number | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
}

export interface ProductBatch {
  /** `true`: either all operations succeed, or none is carried out. `false`: each succeeds or fails by itself. Default: `true`. */
  atomic?: boolean;
  /** 1 to 100 items. */
  operations: (CreateProductOperation | UpdateProductOperation | DeleteProductOperation)[];
}

export interface ProductBatchResult {
  /**
   * The status that a single request would get.
   *
   * 200 to 499.
   */
  status: number;
  /**
   * The `ETag` of the created or changed resource.
   *
   * 1 to 200 characters.
   */
  etag?: string;
  /**
   * The path of the created resource.
   *
   * 1 to 2000 characters.
   */
  location?: string;
  body?: Product;
  error?: OperationError;
}

export interface ProductBatchResultV2 {
  /**
   * The status that a single request would get.
   *
   * 200 to 499.
   */
  status: number;
  /**
   * The `ETag` of the created or changed resource.
   *
   * 1 to 200 characters.
   */
  etag?: string;
  /**
   * The path of the created resource.
   *
   * 1 to 2000 characters.
   */
  location?: string;
  body?: ProductV2;
  error?: OperationError;
}

export interface ProductBatchResults {
  /**
   * One result for each operation, in the same order.
   *
   * 1 to 100 items.
   */
  results: ProductBatchResult[];
}

export interface ProductBatchResultsV2 {
  /**
   * One result for each operation, in the same order.
   *
   * 1 to 100 items.
   */
  results: ProductBatchResultV2[];
}

export interface ProductBatchV2 {
  /** `true`: either all operations succeed, or none is carried out. `false`: each succeeds or fails by itself. Default: `true`. */
  atomic?: boolean;
  /** 1 to 100 items. */
  operations: (CreateProductOperationV2 | UpdateProductOperationV2 | DeleteProductOperationV2)[];
}

export interface ProductFacets {
  /**
   * How many items have each value, the most frequent value first.
   *
   * 0 to 1000 items.
   */
  category: ProductFacetsCategory[];
  /**
   * How many items have each value, the most frequent value first.
   *
   * 0 to 1000 items.
   */
  inStock: ProductFacetsInStock[];
  price: ProductFacetsPrice;
}

export interface ProductFacetsCategory {
  /** 1 to 100 characters. */
  value: string | null;
  count: number;
}

export interface ProductFacetsInStock {
  value: boolean;
  count: number;
}

export interface ProductFacetsPrice {
  /** The lowest value, or `null` if there is none. */
  min: number | null;
  /** The highest value, or `null` if there is none. */
  max: number | null;
}

export interface ProductV2 {
  id: number;
  /** 1 to 200 characters. */
  name: string;
  price: number;
  inStock: boolean;
  /** 1 to 100 characters. */
  category: string | null;
  /** The average rating in reviews, to two decimal places. `null` if the product has no reviews. */
  rating: number | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** 0 to 5000 characters. */
  description: string | null;
  reviewCount: number;
  /** The currency of `price` (ISO 4217). */
  currency: 'USD';
  /** The `ETag` of the resource. Send it in `If-Match` to avoid overwriting changes that you have not seen. */
  etag: string;
}

export interface ReplaceProduct {
  /** 1 to 200 characters. */
  name: string;
  price: number;
  /** Default: `true`. */
  inStock?: boolean;
  /**
   * Default: `null`.
   *
   * 1 to 100 characters.
   */
  category?: string | null;
}

export interface ReplaceProductV2 {
  /** 1 to 200 characters. */
  name: string;
  price: number;
  /** Default: `true`. */
  inStock?: boolean;
  /**
   * Default: `null`.
   *
   * 1 to 100 characters.
   */
  category?: string | null;
  /**
   * Default: `null`.
   *
   * 0 to 5000 characters.
   */
  description?: string | null;
}

export interface ReplaceUser {
  /** At most 254 characters. */
  email: string;
  /**
   * Default: `null`.
   *
   * 1 to 200 characters.
   */
  name?: string | null;
  /** Only a caller with the permission `manage_users` may change it. If you leave it out, it does not change. */
  role?: 'admin' | 'editor' | 'viewer';
  /**
   * If you leave it out, it does not change.
   *
   * 8 to 128 characters.
   */
  password?: string;
  /**
   * Required to change your own e-mail or password.
   *
   * 0 to 128 characters.
   */
  currentPassword?: string;
}

export interface Review {
  id: number;
  productId: number;
  /** The user who wrote the review. */
  userId: number;
  /** 1 to 5. */
  rating: number;
  /** 0 to 5000 characters. */
  comment: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
}

export interface ReviewV2 {
  id: number;
  productId: number;
  /** The user who wrote the review. */
  userId: number;
  /** 1 to 5. */
  rating: number;
  /** 0 to 5000 characters. */
  comment: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  author: Author;
  /** The `ETag` of the resource. Send it in `If-Match` to avoid overwriting changes that you have not seen. */
  etag: string;
}

/** A login, with the session and the tokens that it issued. */
export interface Session {
  id: number;
  /**
   * The `User-Agent` of the request that logged in.
   *
   * 0 to 500 characters.
   */
  userAgent: string | null;
  /** 1 to 45 characters. */
  address: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /**
   * When the login was last used, accurate to a few minutes.
   *
   * ISO 8601, UTC.
   */
  lastSeenAt: string;
  /** Whether the request was authenticated by this login. */
  current: boolean;
}

export interface SessionV2 {
  id: number;
  /**
   * The `User-Agent` of the request that logged in.
   *
   * 0 to 500 characters.
   */
  userAgent: string | null;
  /** 1 to 45 characters. */
  address: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /**
   * When the login was last used, accurate to a few minutes.
   *
   * ISO 8601, UTC.
   */
  lastSeenAt: string;
  /** Whether the request was authenticated by this login. */
  current: boolean;
  /**
   * The `ETag` of the resource. Send it in `If-Match` to avoid overwriting changes that you have not seen.
   *
   * At most 100 characters.
   */
  etag: string;
}

export interface UpdateProductOperation {
  method: 'update';
  id: number;
  /**
   * Like the header `If-Match`: the operation fails with 412 if none of these ETags is current.
   *
   * 0 to 8192 characters.
   */
  ifMatch?: string;
  body: PatchProduct;
}

export interface UpdateProductOperationV2 {
  method: 'update';
  id: number;
  /**
   * Like the header `If-Match`: the operation fails with 412 if none of these ETags is current.
   *
   * 0 to 8192 characters.
   */
  ifMatch?: string;
  body: PatchProductV2;
}

export interface User {
  id: number;
  /** At most 254 characters. */
  email: string;
  /** 1 to 200 characters. */
  name: string | null;
  role: 'admin' | 'editor' | 'viewer';
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
}

export interface UserV2 {
  id: number;
  /** At most 254 characters. */
  email: string;
  /** 1 to 200 characters. */
  name: string | null;
  role: 'admin' | 'editor' | 'viewer';
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** Whether the user has confirmed that the e-mail is theirs. */
  emailVerified: boolean;
  /** The `ETag` of the resource. Send it in `If-Match` to avoid overwriting changes that you have not seen. */
  etag: string;
}

export interface WriteReview {
  /** 1 to 5. */
  rating: number;
  /**
   * Default: `null`.
   *
   * 0 to 5000 characters.
   */
  comment?: string | null;
}
