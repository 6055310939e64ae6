import { describeLaws } from '@plinth/dev/testing';

import { AppModule } from '../../src/app.module.js';

describe('the laws of the application', () => {
  describeLaws(AppModule, {
    // Opening a route is a decision, so it is repeated here.
    open: [
      'POST /auth/email-verification/confirm',
      'POST /auth/password-reset',
      'POST /auth/password-reset/confirm',
      'POST /auth/refresh',
      'POST /login',
      'POST /logout',
      'POST /users',
    ],
    openToAnonymousRole: [
      'GET /products',
      'GET /products/:id',
      'GET /products/:id/reviews',
      'GET /products/:id/reviews/:reviewId',
      'GET /products/facets',
      'GET /reviews',
      'GET /reviews/:id',
    ],
  });
});
