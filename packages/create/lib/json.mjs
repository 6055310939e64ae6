import { readFileSync, writeFileSync } from 'node:fs';

export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

export const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
