import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Makes Chromium refuse all hosts except 127.0.0.1. */
const ALONE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/** Starts the Chromium at the path in `CHROMIUM`, or the installed one. @throws Error if there is no such file */
export async function launchChromium() {
  if (!existsSync(CHROMIUM))
    throw new Error(`There is no ${CHROMIUM}: install Chromium (apt-get install chromium), or set CHROMIUM.`);
  return chromium.launch({ executablePath: CHROMIUM, args: [ALONE] });
}
