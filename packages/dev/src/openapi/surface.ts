import { Schema, typeText, typeWithDefault, withDefault } from './type-text.js';

/** The parts of an OpenAPI document that the surface shows. */
export interface SurfaceDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, SurfaceOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
}

interface SecurityScheme {
  readonly type: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
}

interface SurfaceOperation {
  readonly operationId: string;
  readonly 'x-access'?: {
    readonly permission: string;
    readonly staff?: boolean;
    readonly own?: boolean;
    readonly anonymous?: boolean;
  };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, SurfaceMedia>> };
  readonly responses: Readonly<Record<string, SurfaceResponse>>;
}

interface SurfaceMedia {
  readonly schema?: Schema;
}

interface SurfaceResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, SurfaceMedia>>;
}

/**
 * Returns lines that list what clients depend on. There is a line for each
 * - operation: `GET /api/v1/products listProducts [read] (limit: integer = 20, …) → 200 ProductPage with ETag`. The
 *   brackets say who may call it, and which schemes it accepts if it does not accept all,
 * - schema: `Product { id!: integer(1..), … }`,
 * - error: `error PRODUCT_NOT_FOUND 404`,
 * - scheme of authentication: `scheme apiKey apiKey header X-API-Key`.
 *
 * Required parameters and fields end in `!`. `typeText` explains the notation of types.
 */
export function surfaceOf(document: SurfaceDocument): string[] {
  const { schemas, securitySchemes = {} } = document.components;
  const schemes = Object.keys(securitySchemes);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      operationLine(`${method.toUpperCase()} ${path}`, operation, schemes),
    ),
  );
  const others = [
    ...Object.entries(schemas).flatMap(([name, schema]) =>
      name.endsWith('Error') ? errorLine(schema) : `${name} ${typeText(schema)}`,
    ),
    ...Object.entries(securitySchemes).map(
      ([name, { type, scheme, in: place, name: key }]) =>
        `scheme ${[name, type, scheme, place, key].filter(Boolean).join(' ')}`,
    ),
  ];
  return [...operations.sort(), ...others.sort()];
}

/** Schemas that several errors share have no line. */
function errorLine({ properties }: Schema): string[] {
  const { code, status } = properties?.['error']?.properties ?? {};
  return typeof code?.const === 'string' ? [`error ${code.const} ${String(status?.const)}`] : [];
}

/** The responses that every operation can give. The surface leaves them out. */
const SHARED_RESPONSE = /\/(RateLimitExceeded|Internal|Database|ServiceUnavailable|DatabaseTimeout)$/;

function operationLine(where: string, operation: SurfaceOperation, schemes: readonly string[]): string {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const named = parameters.map(
    ({ name, required, schema }) =>
      `${name}${required ? '!' : ''}: ${schema ? parameterType(schema) : 'any'}`,
  );
  const body = requestBody && contentText(requestBody);
  const answers = Object.entries(responses)
    .filter(([status, { $ref = '' }]) => status !== 'default' && !SHARED_RESPONSE.test($ref))
    .map(([status, response]) => [status, responseText(response), headersText(status, response)])
    .map((words) => words.filter(Boolean).join(' '));
  const access = `${accessTo(operation)}${schemesText(operation, schemes)}`;
  return `${where} ${operationId} [${access}] (${[...named, ...(body ? [`body: ${body}`] : [])].join(', ')}) → ${answers.join('; ')}`;
}

/**
 * Returns who may call an operation, as alternatives. `read & staff | own` means staff whose role has the permission
 * `read`, and users for their own rows.
 */
function accessTo({ 'x-access': access }: SurfaceOperation): string {
  if (!access) return 'open';
  const { permission, staff, own, anonymous } = access;
  const needed = staff ? `${permission} & staff` : permission;
  return [needed, own && 'own', anonymous && 'anonymous'].filter(Boolean).join(' | ');
}

/** Returns the schemes that an operation accepts. Empty if it accepts all or needs none. */
function schemesText({ security = [] }: SurfaceOperation, all: readonly string[]): string {
  const taken = security.flatMap((requirement) => Object.keys(requirement));
  return taken.length === 0 || all.every((name) => taken.includes(name)) ? '' : ` by ${taken.join(', ')}`;
}

/** Returns the fields of a sort parameter, which its pattern lists, or else the type of the parameter. */
function parameterType(schema: Schema): string {
  const [, fields] = /^\^\(\?:([\w|]+)\):\(\?:asc\|desc\)/.exec(schema.pattern ?? '') ?? [];
  return fields === undefined ? typeWithDefault(schema) : withDefault(fields.replaceAll('|', ' | '), schema);
}

/** Returns the name of a shared response, or else its content. */
const responseText = (response: SurfaceResponse): string =>
  response.$ref?.split('/').at(-1) ?? contentText(response);

/** Returns the headers of a successful response, except headers that every response has. */
const headersText = (status: string, { headers = {} }: SurfaceResponse): string =>
  status.startsWith('2') && Object.keys(headers).length > 0 ? `with ${Object.keys(headers).join(', ')}` : '';

const contentText = ({
  content = {},
}: {
  readonly content?: Readonly<Record<string, SurfaceMedia>>;
}): string =>
  Object.values(content)
    .map(({ schema }) => (schema ? typeText(schema) : 'any'))
    .join(' | ');
