import { defineError } from '../../http/errors/catalogue.js';

export const API_KEY_NOT_FOUND = defineError(404, 'API_KEY_NOT_FOUND', 'There is no such API key.');
