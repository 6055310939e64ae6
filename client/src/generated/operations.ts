// Generated from the OpenAPI document by `plinth client`. Changes are overwritten.

const v1 = {
  authentication: {
    passwordReset: 'b POST /auth/password-reset',
    confirm: 'b POST /auth/password-reset/confirm',
    emailVerification: ' POST /auth/email-verification',
    confirmOfEmailVerification: 'b POST /auth/email-verification/confirm',
  },
  products: {
    list: 'l GET /products',
    create: 'bk POST /products',
    facets: 'q GET /products/facets',
    get: ' GET /products/{id}',
    replace: 'b PUT /products/{id}',
    patch: 'b PATCH /products/{id} name,price,inStock,category',
    update: 'u PATCH /products/{id}',
    delete: ' DELETE /products/{id}',
    batch: 'bk POST /products/batch',
  },
  reviews: {
    list: 'l GET /reviews',
    get: ' GET /reviews/{id}',
    listOfProduct: 'l GET /products/{id}/reviews',
    create: 'bk POST /products/{id}/reviews',
    getOfProduct: ' GET /products/{id}/reviews/{reviewId}',
    replace: 'b PUT /products/{id}/reviews/{reviewId}',
    patch: 'b PATCH /products/{id}/reviews/{reviewId} rating,comment',
    update: 'u PATCH /products/{id}/reviews/{reviewId}',
    delete: ' DELETE /products/{id}/reviews/{reviewId}',
  },
  users: {
    list: 'l GET /users',
    create: 'bk POST /users',
    me: ' GET /users/me',
    get: ' GET /users/{id}',
    replace: 'b PUT /users/{id}',
    patch: 'b PATCH /users/{id} email,name,role,password,currentPassword',
    update: 'u PATCH /users/{id}',
    delete: ' DELETE /users/{id}',
  },
  orders: {
    list: 'l GET /orders',
    get: ' GET /orders/{id}',
    listOfUser: 'l GET /users/{id}/orders',
    create: 'bk POST /users/{id}/orders',
    getOfUser: ' GET /users/{id}/orders/{orderId}',
    patch: 'b PATCH /users/{id}/orders/{orderId} status',
    update: 'u PATCH /users/{id}/orders/{orderId}',
    delete: ' DELETE /users/{id}/orders/{orderId}',
  },
  orderItems: {
    list: 'l GET /order-items',
    get: ' GET /order-items/{id}',
    listOfOrder: 'l GET /users/{id}/orders/{orderId}/items',
    create: 'bk POST /users/{id}/orders/{orderId}/items',
    getOfOrder: ' GET /users/{id}/orders/{orderId}/items/{itemId}',
    patch: 'b PATCH /users/{id}/orders/{orderId}/items/{itemId} productId,quantity',
    update: 'u PATCH /users/{id}/orders/{orderId}/items/{itemId}',
    delete: ' DELETE /users/{id}/orders/{orderId}/items/{itemId}',
  },
  sessions: {
    list: 'l GET /sessions',
    get: ' GET /sessions/{id}',
    delete: ' DELETE /sessions/{id}',
  },
  apiKeys: {
    list: 'l GET /api-keys',
    create: 'bk POST /api-keys',
    get: ' GET /api-keys/{id}',
    patch: 'b PATCH /api-keys/{id} name,permissions',
    update: 'u PATCH /api-keys/{id}',
    delete: ' DELETE /api-keys/{id}',
  },
  accessGrants: {
    list: 'l GET /access-grants',
    create: 'bk POST /access-grants',
    get: ' GET /access-grants/{id}',
    delete: ' DELETE /access-grants/{id}',
  },
} as const;

const v2 = {
  ...v1,
  products: {
    list: 'l GET /products',
    create: 'bk POST /products',
    get: ' GET /products/{id}',
    replace: 'b PUT /products/{id}',
    patch: 'b PATCH /products/{id} name,price,inStock,category,description',
    update: 'u PATCH /products/{id}',
    delete: ' DELETE /products/{id}',
    facets: 'q GET /products/facets',
    batch: 'bk POST /products/batch',
  },
} as const;

/** Flags, method, path and fields of each operation; see `Operation`. */
export const operations = { v1, v2 };
