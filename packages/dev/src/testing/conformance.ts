import { setTimeout } from 'node:timers/promises';

import { ValidateFunction } from 'ajv';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { Answer } from './client.js';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
  [key: string]: unknown;
}

interface DocumentedResponse {
  $ref?: string;
  content?: Record<string, { schema: Schema; examples?: Record<string, object> }>;
  headers?: Record<string, unknown>;
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, DocumentedResponse> }>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, DocumentedResponse>;
    examples: Record<string, { value: { error: { status: number } } }>;
  };
}

/** Headers of HTTP and of the security plugin. The document does not list them, because every response may have them. */
const UNDOCUMENTED_HEADERS =
  /^(date|connection|keep-alive|content-length|content-type|content-disposition|expires|pragma|x-accel-buffering|allow|transfer-encoding|access-control-.*|content-security-policy|cross-origin-.*|origin-agent-cluster|referrer-policy|server-timing|strict-transport-security|x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection))$/;

/** The error codes for a path without an operation. */
const UNMATCHED_CODES = [
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'INVALID_URL',
  'INVALID_HOST',
  'URI_TOO_LONG',
  'RATE_LIMIT_EXCEEDED', // requests to unknown paths are counted too
];

/** Adds the format of e-mail addresses that are not ASCII, which ajv-formats does not know. */
export const addIdnEmail = (ajv: Ajv): Ajv => ajv.addFormat('idn-email', /^[^@\s]+@[^@\s]+$/);

/**
 * Caches one instance for each document, because compiling its schemas takes longer than most test files. All test files
 * of a Jest worker share this module.
 */
const conformances = new Map<string, Conformance>();

/** Checks responses against the OpenAPI document that the service itself serves. */
export class Conformance {
  private readonly validators = new Map<Schema, ValidateFunction>();
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly paths: readonly { pattern: RegExp; path: string }[];
  private readonly commonStatuses: ReadonlySet<number>;

  private constructor(private readonly document: Document) {
    addFormats.default(this.ajv);
    addIdnEmail(this.ajv);
    // A response must not have undocumented fields. This closes the objects in this copy of the document.
    for (const schema of Object.values(document.components.schemas)) forbidOtherProperties(schema);
    this.ajv.addSchema({ $id: 'document', components: document.components });
    const { examples, responses } = document.components;
    const codes = Object.keys(responses['CommonError']?.content?.['application/json']?.examples ?? {});
    this.commonStatuses = new Set(codes.map((code) => examples[code]?.value.error.status ?? 0));
    this.paths = Object.keys(document.paths)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  }

  /** @param baseUrl of the service, or of another one with the same document */
  static async of(baseUrl: string): Promise<Conformance> {
    let response = await fetch(`${baseUrl}/docs/openapi.json`);
    // On a busy machine, a service that has just started may be overloaded (503), and this process may send too late
    // (408). A service that is in use may be at its rate limit (429).
    for (let attempt = 0; [408, 429, 503].includes(response.status) && attempt < 20; attempt++) {
      const isLimited = response.status === 429;
      await setTimeout(isLimited ? Number(response.headers.get('retry-after')) * 1000 : 500);
      response = await fetch(`${baseUrl}/docs/openapi.json`);
    }
    if (response.status !== 200)
      throw new Error(`cannot read the OpenAPI document: ${await response.text()}`);
    const text = await response.text();
    const conformance = conformances.get(text) ?? new Conformance(JSON.parse(text) as Document);
    conformances.set(text, conformance);
    return conformance;
  }

  /** @throws Error if the document of the operation does not allow the response */
  check(method: string, url: string, headers: Readonly<Record<string, string>>, answer: Answer): void {
    const path = versioned(url.split('?', 1)[0] as string, headers['accept']);
    const operation = this.operation(method, path);
    const where = `${method} ${url} → ${answer.status}`;
    if (!operation) {
      if (path.startsWith('/api/') && method !== 'OPTIONS') this.checkUnmatched(where, answer);
      return;
    }
    const common = this.resolved(operation.responses['default']);
    // Responses that every operation can give are documented once, as `default`. Other statuses must be listed.
    const listed = this.resolved(operation.responses[String(answer.status)]);
    const isCommon = this.commonStatuses.has(answer.status);
    const response = listed ?? (isCommon ? common : undefined);
    if (!response) throw new Error(`${where}: the document does not list this status`);
    this.checkHeaders(where, answer, { headers: { ...common?.headers, ...response.headers } });
    if (method === 'HEAD' || answer.status === 304 || (answer.status < 300 && !response.content)) {
      if (answer.text !== '') throw new Error(`${where}: must not have a body`);
      return;
    }
    this.checkBody(where, answer, response);
  }

  private operation(
    method: string,
    path: string,
  ): { responses: Record<string, DocumentedResponse> } | undefined {
    const template = this.paths.find(({ pattern }) => pattern.test(path))?.path;
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    return template === undefined ? undefined : this.document.paths[template]?.[name];
  }

  private resolved(response: DocumentedResponse | undefined): DocumentedResponse | undefined {
    const name = response?.$ref?.split('/').at(-1);
    return name === undefined ? response : this.document.components.responses[name];
  }

  private checkHeaders(where: string, { headers }: Answer, response: DocumentedResponse): void {
    const documented = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
    for (const name of headers.keys()) {
      if (!documented.has(name) && !UNDOCUMENTED_HEADERS.test(name))
        throw new Error(`${where}: the header ${name} is not documented`);
    }
    if (!headers.has('x-request-id')) throw new Error(`${where}: has no X-Request-Id`);
  }

  private checkBody(where: string, answer: Answer, response: DocumentedResponse): void {
    const type = answer.headers.get('content-type') ?? 'missing';
    const documented = Object.keys(response.content ?? {});
    const essence = type.split(';', 1)[0]?.trim() ?? '';
    if (!documented.includes(essence))
      throw new Error(`${where}: Content-Type is ${type}, but the document has ${documented.join(', ')}`);
    if (essence !== 'application/json') return;
    if (type !== essence) throw new Error(`${where}: Content-Type must have no parameters (got ${type})`);
    const { schema } = response.content?.[essence] as { schema: Schema };
    let validate = this.validators.get(schema);
    if (!validate) {
      const local = JSON.parse(
        JSON.stringify(schema).replaceAll('"#/components', '"document#/components'),
      ) as Schema;
      this.validators.set(schema, (validate = this.ajv.compile(local)));
    }
    if (!validate(answer.body))
      throw new Error(`${where}: ${this.ajv.errorsText(validate.errors)}\n${answer.text}`);
  }

  private checkUnmatched(where: string, { body }: Answer): void {
    const code = (body as { error?: { code?: string } } | undefined)?.error?.code ?? '';
    if (!UNMATCHED_CODES.includes(code))
      throw new Error(`${where}: the path is not documented, and ${code} is not an error of unknown paths`);
  }
}

/** Returns the path with its version. Without a version in the path, `Accept` chooses it. The default is version 1. */
function versioned(path: string, accept = ''): string {
  if (!path.startsWith('/api/') || /^\/api\/v\d+\//.test(path)) return path;
  const version = /vnd\.[^.]+\.v(\d+)\+json/.exec(accept)?.[1] ?? '1';
  return `/api/v${version}${path.slice('/api'.length)}`;
}

function forbidOtherProperties(schema: Schema): void {
  if (schema.type === 'object' && schema.properties) schema.additionalProperties ??= false;
  for (const property of Object.values(schema.properties ?? {})) forbidOtherProperties(property);
}
