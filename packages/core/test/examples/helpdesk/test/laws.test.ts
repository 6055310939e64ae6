import { join } from 'node:path';

import { describeLaws } from '@plinth/dev/testing';

import { AppModule } from '../src/app.module.js';

describe('the laws of the help desk', () => {
  describeLaws(AppModule, {
    project: join(__dirname, '..'),
    open: [
      'POST /auth/email-verification/confirm',
      'POST /auth/password-reset',
      'POST /auth/password-reset/confirm',
      'POST /auth/refresh',
      'POST /login',
      'POST /logout',
    ],
  });
});
