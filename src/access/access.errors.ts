import { defineError } from '../http/errors/catalogue.js';

export const PERMISSION_DENIED = defineError(403, 'PERMISSION_DENIED', 'The caller lacks a permission.');
