/** The declaration of one version of the API, in `PlinthModule.forRoot({ versions })`. */
export interface ApiVersion {
  /** The version that clients of this one move to. If this one is deprecated, its responses link to the successor. */
  readonly successor?: number;
  /** Whether responses show the entity tag of each row, as `etag`. */
  readonly showsEntityTags?: boolean;
}

/**
 * The versions of the API, by number. A version without controllers is retired.
 * @example const VERSIONS: ApiVersions = { 1: { successor: 2 }, 2: { showsEntityTags: true } };
 */
export type ApiVersions = Readonly<Record<number, ApiVersion>>;

/** The injection token of the versions that the application declares. */
export const API_VERSIONS = Symbol('API versions');

/**
 * Returns a message if the application does not declare a version.
 * @param namedBy the route, variable or version that names it
 */
export function undeclaredFault(
  version: string | number,
  namedBy: string,
  declared: ApiVersions,
): string | undefined {
  if (version in declared) return undefined;
  const versions = Object.keys(declared).join(', ');
  return `${namedBy}: the version must be one of ${versions} (got ${version}): PlinthModule.forRoot({ versions }) declares them`;
}
