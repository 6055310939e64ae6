import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { writeFiles } from '../project-files.js';
import { deploymentFiles } from './deployments.js';

/** The root of the project, from `dist/tools/kubernetes/`. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** `npm run manifests`: writes deploy/kubernetes and deploy/helm anew. */
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
writeFiles(ROOT, deploymentFiles(version));
