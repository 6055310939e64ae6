import { ApiDocs } from '@plinth/core';

export const DOCS: ApiDocs = {
  folder: new URL('./', import.meta.url),
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
  tags: [
    { name: 'Authentication', description: 'How to log in and get credentials.' },
    { name: 'Products' },
    { name: 'Reviews' },
    { name: 'Users' },
    { name: 'Orders' },
    { name: 'Order items' },
    { name: 'Sessions' },
    { name: 'API keys' },
    { name: 'Access grants' },
    { name: 'Health', description: 'For operators: whether the process is running and ready for requests.' },
  ],
};
