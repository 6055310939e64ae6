import { readFileSync } from 'node:fs';

const { version: RUNTIME } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the existing `package.json` with the current versions of the API and of this runtime. */
export function manifestOf({ version }, manifest) {
  const { dependencies, ...others } = JSON.parse(manifest);
  return json({ ...others, version, dependencies: { ...dependencies, '@plinth/client': RUNTIME } });
}

/** Returns the files of a new client, without the generated ones. */
export function newPackage({ title }) {
  // PRODUCT.clientPackage of @plinth/core derives the same name.
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  // The tarball of `@plinth/client` is `plinth-client-<version>.tgz`, which a client of the same name would overwrite.
  const name = slug === 'plinth' ? 'plinth-api-client' : `${slug}-client`;
  return {
    'package.json': newManifest(name, title),
    'README.md': readmeOf(name, title),
    'tsconfig.json': MODULES,
    'tsconfig.cjs.json': COMMONJS,
  };
}

const exported = (folder) => ({ types: `./${folder}/index.d.ts`, default: `./${folder}/index.js` });

function newManifest(name, title) {
  const marker = `require('fs').writeFileSync('dist/cjs/package.json', JSON.stringify({ type: 'commonjs' }))`;
  return json({
    name,
    version: '',
    description: `Use this package to call the API of ${title} from a browser or from Node.js, with types for every
operation.`,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    main: './dist/cjs/index.js',
    module: './dist/esm/index.js',
    types: './dist/esm/index.d.ts',
    exports: {
      '.': { import: exported('dist/esm'), require: exported('dist/cjs') },
      './package.json': './package.json',
    },
    files: ['dist'],
    scripts: {
      build: `tsc && tsc -p tsconfig.cjs.json && node -e "${marker}"`,
      prepack: 'npm run build',
    },
  });
}

const readmeOf = (name, title) => `# ${name}

Use this package to call the API of ${title} from a browser or from Node.js, with types for every
operation.

\`\`\`ts
import { createClient, isError, token } from '${name}';

const client = createClient({ baseUrl: 'https://api.example.com', auth: token() });
await client.login({ email: 'you@example.com', password: 'choose-your-own-words' });
\`\`\`

Its operations and errors are those of the API reference. It runs on \`@plinth/client\`, whose README
describes credentials, lists, writes, retries and options.
`;

/** The tsconfig.json for ES modules. */
const MODULES = `{
  "compilerOptions": {
    "target": "es2022",
    "module": "nodenext",
    "lib": ["es2022", "dom", "dom.iterable"],
    "types": [],
    "rootDir": "src/generated",
    "outDir": "dist/esm",
    "declaration": true,
    "strict": true,
    "verbatimModuleSyntax": true
  },
  "include": ["src/generated"]
}
`;

const COMMONJS = `{
  "extends": "./tsconfig.json",
  "compilerOptions": {
    "module": "commonjs",
    "moduleResolution": "bundler",
    "verbatimModuleSyntax": false,
    "outDir": "dist/cjs"
  }
}
`;

/** The text of `index.ts`: exports the runtime, with functions that are typed for this API. */
export const INDEX = `import { type ApiErrorOf, type Core, defineClient } from '@plinth/client';
import type { Api, LoginResponse } from './api.js';
import type { ErrorStatus, OperationErrors } from './errors.js';
import { operations } from './operations.js';

export * from '@plinth/client';
export type * from './api.js';
export type { ErrorCode, ErrorOf, ErrorStatus, OperationErrors } from './errors.js';
export type * from './schemas.js';

/** The versions of the API. */
export type Version = keyof Api;

export type Client<V extends Version = 'v1'> = Api[V] & Core<LoginResponse>;

const defined = defineClient<Api, LoginResponse, ErrorStatus, OperationErrors>(operations);

/**
 * Creates a client.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://api.example.com', auth: apiKey(key) });
 * for await (const product of client.products.list({ sort: 'price:asc' })) console.log(product.name);
 */
export const createClient = defined.createClient;

/**
 * Whether a caught value is an error of the API and, if codes are given, has one of them.
 *
 * @example
 * if (isError(error, 'PRODUCT_OUT_OF_STOCK')) error.status; // 409, to the compiler too
 */
export const isError = defined.isError;

/**
 * Whether a caught value is an error of an operation. Its \`code\` is then one of those that the operation lists. A newer
 * server may send other codes, so a \`switch\` needs a \`default\`.
 *
 * @example
 * if (isErrorOf(error, 'orders.create')) switch (error.code) { … }
 */
export const isErrorOf = defined.isErrorOf;
`;
