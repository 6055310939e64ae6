import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** What Chromium asks for by itself stays off. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the Chromium of `CHROMIUM`, or of the machine. @throws Error where there is none */
export async function launchChromium(...args) {
  if (!existsSync(CHROMIUM))
    throw new Error(`There is no ${CHROMIUM}: install Chromium (apt-get install chromium), or set CHROMIUM.`);
  return chromium.launch({ executablePath: CHROMIUM, args: [...QUIET, ...args] });
}
