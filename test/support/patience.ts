/** How much longer things may take than on an idle machine, from 1 to 3: jest.config.js has found out. */
export const PATIENCE = Number(process.env['TEST_PATIENCE'] ?? 1);
