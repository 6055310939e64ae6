import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Makes Chromium resolve only this machine. */
const ALONE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/** Starts the Chromium that `CHROMIUM` names, or the installed one. @throws Error if there is none */
export async function launchChromium() {
  if (!existsSync(CHROMIUM))
    throw new Error(`There is no ${CHROMIUM}: install Chromium (apt-get install chromium), or set CHROMIUM.`);
  return chromium.launch({ executablePath: CHROMIUM, args: [ALONE] });
}
