import { faultsOf } from '@plinth/dev/testing';

import { useApp, useClient } from '../support/app.js';
import { Document, documentsOf, Operation, operationsOf, resolve } from '../support/openapi-document.js';

type Properties = Readonly<Record<string, unknown>>;

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: Properties;
}

/**
 * The fields that responses and bodies of each resource have in all versions, by its path without the
 * version.
 */
interface Resource {
  readonly shown: Set<string>;
  readonly written: Set<string>;
  readonly writes: Write[];
}

const collectionOf = (path: string): string =>
  path.replace(/^\/api\/v\d+/, '').replace(/\/(\{\w+\}|me)$/, '');

function propertiesOf(document: Document, part: Operation['responses'][string] | undefined): Properties {
  const { $ref } = (part?.content?.['application/json']?.schema ?? {}) as { $ref?: string };
  const schema = $ref === undefined ? {} : resolve(document, $ref);
  return (schema as { properties?: Properties }).properties ?? {};
}

/** The resources of a document to which bodies are sent. */
function resourcesOf(document: Document): [string, Resource][] {
  const resources = new Map<string, Resource>();
  for (const [name, operation] of operationsOf(document)) {
    const [method = '', path = ''] = name.split(' ');
    if (!path.startsWith('/api/')) continue;
    const shown = propertiesOf(document, operation.responses[200] ?? operation.responses[201]);
    const body = propertiesOf(document, operation.requestBody);
    if (!('id' in shown)) continue;
    const empty = { shown: new Set<string>(), written: new Set<string>(), writes: [] };
    const resource = resources.get(collectionOf(path)) ?? empty;
    resources.set(collectionOf(path), resource);
    for (const property of Object.keys(shown)) resource.shown.add(property);
    for (const property of Object.keys(body)) resource.written.add(property);
    if (operation.requestBody) resource.writes.push({ method, path: path.replaceAll(/\{\w+\}/g, '1'), body });
  }
  return [...resources].filter(([, { writes }]) => writes.length > 0);
}

describe('a body', () => {
  const app = useApp({ DOCS: 'true' });
  const admin = useClient(app, 'admin');
  let resources: [string, Resource][];

  beforeAll(async () => {
    resources = resourcesOf((await documentsOf(app.baseUrl))[0][1]);
  });

  const unknownFields = async ({ method, path }: Write, names: readonly string[]): Promise<string[]> => {
    const body = Object.fromEntries(names.map((name) => [name, null]));
    // An unknown field makes each body invalid, so that nothing is written.
    const answer = await admin.request(method.toUpperCase(), path, { body: { ...body, nobody: 1 } });
    const unknown = faultsOf(answer).filter((fault) => fault.endsWith(' UNKNOWN_FIELD'));
    return unknown.map((fault) => fault.replace(/ .*$/, ''));
  };

  it('may contain fields that only the server writes, whichever version of the resource shows them', async () => {
    expect(resources.map(([path]) => path)).toEqual(
      expect.arrayContaining(['/products', '/users', '/products/{id}/reviews', '/users/{id}/orders']),
    );
    for (const [, { shown, written, writes }] of resources) {
      const owned = [...shown].filter((name) => !written.has(name));
      expect(owned).toEqual(expect.arrayContaining(['id']));
      for (const write of writes)
        expect([write.method, write.path, await unknownFields(write, owned)]).toEqual([
          write.method,
          write.path,
          ['nobody'],
        ]);
    }
  });

  it('never contains a field that clients write in another version only, because it would be lost silently', async () => {
    const products = resources.find(([path]) => path === '/products')?.[1];
    const ofVersion1 = products?.writes.filter(({ path }) => path.startsWith('/api/v1/')) ?? [];
    expect(ofVersion1).toHaveLength(3);
    for (const write of ofVersion1)
      expect((await unknownFields(write, ['description'])).sort()).toEqual(['description', 'nobody']);
  });
});
