// Generated from the OpenAPI document by `plinth client`. Changes are overwritten.

export interface AccessGrant {
  id: number;
  resourceType: 'product' | 'user' | 'order' | 'review';
  resourceId: number;
  /** The user that it is about; null if that is an API key. */
  userId: number | null;
  /** The API key that it is about; null if that is a user. */
  apiKeyId: number | null;
  /** 1 to 4 items. */
  permissions: ('read' | 'create' | 'update' | 'delete')[];
  /** A deny beats an allow, an allow beats the role. */
  effect: 'allow' | 'deny';
  /** ISO 8601, UTC. */
  createdAt: string;
}

export interface AccessGrantV2 {
  id: number;
  resourceType: 'product' | 'user' | 'order' | 'review';
  resourceId: number;
  /** The user that it is about; null if that is an API key. */
  userId: number | null;
  /** The API key that it is about; null if that is a user. */
  apiKeyId: number | null;
  /** 1 to 4 items. */
  permissions: ('read' | 'create' | 'update' | 'delete')[];
  /** A deny beats an allow, an allow beats the role. */
  effect: 'allow' | 'deny';
  /** ISO 8601, UTC. */
  createdAt: string;
  /** Its `ETag`: send it in `If-Match` to write only what you saw. */
  etag: string;
}

export interface ApiKey {
  id: number;
  /** The owner, on whose behalf the key acts. */
  userId: number;
  /** 1 to 200 characters. */
  name: string;
  /**
   * What the key may do, as far as its owner may do it at the time.
   *
   * 1 to 5 items.
   */
  permissions: ('create' | 'read' | 'update' | 'delete' | 'manage_users')[];
  /** The first characters of the key. */
  hint: string;
  /**
   * Accurate to a minute; `null` if the key has never been used.
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
  /** The owner, on whose behalf the key acts. */
  userId: number;
  /** 1 to 200 characters. */
  name: string;
  /**
   * What the key may do, as far as its owner may do it at the time.
   *
   * 1 to 5 items.
   */
  permissions: ('create' | 'read' | 'update' | 'delete' | 'manage_users')[];
  /** The first characters of the key. */
  hint: string;
  /**
   * Accurate to a minute; `null` if the key has never been used.
   *
   * ISO 8601, UTC.
   */
  lastUsedAt: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** Its `ETag`: send it in `If-Match` to write only what you saw. */
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
  /** The user that it is about; null if that is an API key. Default: `null`. */
  userId?: number | null;
  /** The API key that it is about; null if that is a user. Default: `null`. */
  apiKeyId?: number | null;
  /** 1 to 4 items. */
  permissions: ('read' | 'create' | 'update' | 'delete')[];
  /** A deny beats an allow, an allow beats the role. */
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
   * What the key may do, as far as its owner may do it at the time. Default: `["read"]`.
   *
   * 1 to 5 items.
   */
  permissions?: ('create' | 'read' | 'update' | 'delete' | 'manage_users')[];
}

export interface CreateOrder {
  /**
   * Each product once at most.
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
  /** Only a caller with `manage_users` may send it. Default: `viewer`. */
  role?: 'admin' | 'editor' | 'viewer';
  /**
   * At least 8 characters, and none of the commonest passwords. The example is refused: choose your own.
   *
   * 8 to 128 characters.
   */
  password: string;
}

export interface CreatedApiKey {
  id: number;
  /** The owner, on whose behalf the key acts. */
  userId: number;
  /** 1 to 200 characters. */
  name: string;
  /**
   * What the key may do, as far as its owner may do it at the time.
   *
   * 1 to 5 items.
   */
  permissions: ('create' | 'read' | 'update' | 'delete' | 'manage_users')[];
  /** The first characters of the key. */
  hint: string;
  /**
   * Accurate to a minute; `null` if the key has never been used.
   *
   * ISO 8601, UTC.
   */
  lastUsedAt: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** The value for the header `X-API-Key`. It is shown only in this response. */
  key: string;
}

export interface CreatedApiKeyV2 {
  id: number;
  /** The owner, on whose behalf the key acts. */
  userId: number;
  /** 1 to 200 characters. */
  name: string;
  /**
   * What the key may do, as far as its owner may do it at the time.
   *
   * 1 to 5 items.
   */
  permissions: ('create' | 'read' | 'update' | 'delete' | 'manage_users')[];
  /** The first characters of the key. */
  hint: string;
  /**
   * Accurate to a minute; `null` if the key has never been used.
   *
   * ISO 8601, UTC.
   */
  lastUsedAt: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** The value for the header `X-API-Key`. It is shown only in this response. */
  key: string;
  /** Its `ETag`: send it in `If-Match` to write only what you saw. */
  etag: string;
}

export interface DeleteProductOperation {
  method: 'delete';
  id: number;
  /**
   * As the header: 412 if none of these is current.
   *
   * 0 to 8192 characters.
   */
  ifMatch?: string;
}

export interface DeleteProductOperationV2 {
  method: 'delete';
  id: number;
  /**
   * As the header: 412 if none of these is current.
   *
   * 0 to 8192 characters.
   */
  ifMatch?: string;
}

export interface EmailVerificationConfirmation {
  /**
   * The `token` of the link that was mailed.
   *
   * 1 to 100 characters.
   */
  token: string;
}

/** One fault of one field or parameter. */
export interface ErrorDetailData {
  /** A dotted path into the body, or the name of a parameter. */
  field: string;
  /** The rule that is broken: REQUIRED, WRONG_TYPE, UNKNOWN_FIELD, BAD_CHARACTER, REPEATED, BLANK, TOO_SHORT, TOO_LONG, TOO_SMALL, TOO_LARGE, TOO_PRECISE, TOO_FEW, TOO_MANY, DUPLICATE, TOO_COMMON, BAD_FORMAT, NOT_ALLOWED, NOT_UNIQUE, or one of the resource’s own. */
  code: string;
  /** For people. The wording may change. */
  message: string;
}

/** The access token is absent if `scheme` is `session`. */
export interface IssuedCredentials {
  /**
   * A JWT for `Authorization: Bearer`.
   *
   * 1 to 4096 characters.
   */
  accessToken?: string;
  tokenType?: 'Bearer';
  /** Seconds until the access token expires. */
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
   * For programs, as that of the operation alone.
   *
   * 1 to 100 characters.
   */
  code: string;
  /**
   * For people. The wording may change.
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
  /** Sum of the items, exact to two decimals. */
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
  /** Null once the product is deleted. */
  productId: number | null;
  /** As it was when it was ordered. */
  productName: string;
  /** As it was when it was ordered. */
  unitPrice: number;
  /** 1 to 1000. */
  quantity: number;
  lineTotal: number;
}

export interface OrderItemV2 {
  id: number;
  orderId: number;
  /** Null once the product is deleted. */
  productId: number | null;
  /** As it was when it was ordered. */
  productName: string;
  /** As it was when it was ordered. */
  unitPrice: number;
  /** 1 to 1000. */
  quantity: number;
  lineTotal: number;
  /** Its `ETag`: send it in `If-Match` to write only what you saw. */
  etag: string;
}

export interface OrderV2 {
  id: number;
  userId: number;
  status: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled';
  /** Sum of the items, exact to two decimals. */
  total: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** 0 to 100 items. */
  items: OrderItem[];
  /** Its `ETag`: send it in `If-Match` to write only what you saw. */
  etag: string;
}

export interface PasswordResetConfirmation {
  /**
   * The `token` of the link that was mailed.
   *
   * 1 to 100 characters.
   */
  token: string;
  /**
   * The new password, by the rules of those of users.
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
   * What the key may do, as far as its owner may do it at the time.
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
  /** Only a caller with `manage_users` may change it. Unchanged where it is left out. */
  role?: 'admin' | 'editor' | 'viewer';
  /**
   * Unchanged where it is left out.
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
  /** Average of its reviews to two decimals; null without any. */
  rating: number | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
}

export interface ProductBatch {
  /** All are done or none; else each stands for itself. Default: `true`. */
  atomic?: boolean;
  /** 1 to 100 items. */
  operations: (CreateProductOperation | UpdateProductOperation | DeleteProductOperation)[];
}

export interface ProductBatchResult {
  /**
   * As the operation is answered alone.
   *
   * 200 to 499.
   */
  status: number;
  /**
   * The `ETag` of what was created or changed.
   *
   * 1 to 200 characters.
   */
  etag?: string;
  /**
   * The path of what was created.
   *
   * 1 to 2000 characters.
   */
  location?: string;
  body?: Product;
  error?: OperationError;
}

export interface ProductBatchResultV2 {
  /**
   * As the operation is answered alone.
   *
   * 200 to 499.
   */
  status: number;
  /**
   * The `ETag` of what was created or changed.
   *
   * 1 to 200 characters.
   */
  etag?: string;
  /**
   * The path of what was created.
   *
   * 1 to 2000 characters.
   */
  location?: string;
  body?: ProductV2;
  error?: OperationError;
}

export interface ProductBatchResults {
  /**
   * One for each operation, in their order.
   *
   * 1 to 100 items.
   */
  results: ProductBatchResult[];
}

export interface ProductBatchResultsV2 {
  /**
   * One for each operation, in their order.
   *
   * 1 to 100 items.
   */
  results: ProductBatchResultV2[];
}

export interface ProductBatchV2 {
  /** All are done or none; else each stands for itself. Default: `true`. */
  atomic?: boolean;
  /** 1 to 100 items. */
  operations: (CreateProductOperationV2 | UpdateProductOperationV2 | DeleteProductOperationV2)[];
}

export interface ProductFacets {
  /**
   * How many rows have each value, that of most rows first.
   *
   * 0 to 1000 items.
   */
  category: ProductFacetsCategory[];
  /**
   * How many rows have each value, that of most rows first.
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
  /** The lowest value; null without any. */
  min: number | null;
  /** The highest value; null without any. */
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
  /** Average of its reviews to two decimals; null without any. */
  rating: number | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** 0 to 5000 characters. */
  description: string | null;
  reviewCount: number;
  /** Of `price`, ISO 4217. */
  currency: 'USD';
  /** Its `ETag`: send it in `If-Match` to write only what you saw. */
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
  /** Only a caller with `manage_users` may change it. Unchanged where it is left out. */
  role?: 'admin' | 'editor' | 'viewer';
  /**
   * Unchanged where it is left out.
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
  /** Who wrote it. */
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
  /** Who wrote it. */
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
  /** Its `ETag`: send it in `If-Match` to write only what you saw. */
  etag: string;
}

/** A login, with the session and the tokens that it issued. */
export interface Session {
  id: number;
  /**
   * The `User-Agent` of the login.
   *
   * 0 to 500 characters.
   */
  userAgent: string | null;
  /** 1 to 45 characters. */
  address: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /**
   * When it was last used, accurate to a few minutes.
   *
   * ISO 8601, UTC.
   */
  lastSeenAt: string;
  /** Whether this request was authenticated by this login. */
  current: boolean;
}

export interface SessionV2 {
  id: number;
  /**
   * The `User-Agent` of the login.
   *
   * 0 to 500 characters.
   */
  userAgent: string | null;
  /** 1 to 45 characters. */
  address: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  /**
   * When it was last used, accurate to a few minutes.
   *
   * ISO 8601, UTC.
   */
  lastSeenAt: string;
  /** Whether this request was authenticated by this login. */
  current: boolean;
  /**
   * Its `ETag`: send it in `If-Match` to write only what you saw.
   *
   * At most 100 characters.
   */
  etag: string;
}

export interface UpdateProductOperation {
  method: 'update';
  id: number;
  /**
   * As the header: 412 if none of these is current.
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
   * As the header: 412 if none of these is current.
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
  /** Its `ETag`: send it in `If-Match` to write only what you saw. */
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
