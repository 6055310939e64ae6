/**
 * Returns the files of the typed client of an API, by their paths in its folder. The TypeScript is not formatted. The
 * files around the generated ones are written only for a new client, and then belong to the application. In an existing
 * `package.json`, only the version and the dependency on this package change.
 *
 * @param document an OpenAPI document, 3.0 or 3.1, of all versions
 * @param options.manifest the text of the existing `package.json`
 * @throws Error if the document has no path below `/api/v1`, or if two operations would get the same name
 */
export function clientFiles(
  document: object,
  options?: { readonly manifest?: string | undefined },
): Map<string, string>;
