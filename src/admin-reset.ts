import 'reflect-metadata';

import { readConfigOrExit, runProgram } from './program.js';
import { adminAnnouncement, prepareApp } from './service.js';
import { FirstAdmin } from './users/first-admin.js';

// `npm run admin:reset` gives the administrator of the configuration a new password. The service may run meanwhile.
const config = readConfigOrExit();
await runProgram(
  config,
  async (program) => {
    const app = await prepareApp(program);
    await app.nest.get(FirstAdmin, { strict: false }).reset(adminAnnouncement(config));
    await program.shutdown.run(0);
  },
  { logLevel: 'fatal' },
);
