/**
 * The files of the typed client of an API, by their paths in its folder. TypeScript is not formatted. What stands around
 * the generated files is written once and the application's from then on: of a `package.json` that is there, only the
 * version and the dependency on this package change.
 *
 * @param document an OpenAPI document, 3.0 or 3.1, of all versions
 * @param options.manifest the text of the `package.json` that is there
 * @throws Error where nothing is below `/api/v1`, or two operations would have one name
 */
export function clientFiles(
  document: object,
  options?: { readonly manifest?: string | undefined },
): Map<string, string>;
