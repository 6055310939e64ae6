import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** It reaches what this machine serves, and nothing else. */
const ALONE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/** Starts the Chromium of `CHROMIUM`, or of the machine. @throws Error where there is none */
export async function launchChromium() {
  if (!existsSync(CHROMIUM))
    throw new Error(`There is no ${CHROMIUM}: install Chromium (apt-get install chromium), or set CHROMIUM.`);
  return chromium.launch({ executablePath: CHROMIUM, args: [ALONE] });
}
