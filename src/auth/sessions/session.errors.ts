import { defineError } from '../../http/errors/catalogue.js';

export const SESSION_NOT_FOUND = defineError(404, 'SESSION_NOT_FOUND', 'There is no such session.');
