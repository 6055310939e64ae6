import 'reflect-metadata';

import { writeFileSync } from 'node:fs';

import { buildDocument } from './build-document.js';

/** Writes the OpenAPI document into the file that the command line names. */
const [, , file = ''] = process.argv;
writeFileSync(file, await buildDocument());
