/** A method of a controller. */
export type Handler = (this: unknown, ...args: unknown[]) => unknown;

/** The methods that were written, by those that routes were defined with in their place. */
const written = new WeakMap<Handler, Handler>();

/** The method that was written, where a route was defined in its place. */
export const writtenAs = (handler: Handler): Handler => written.get(handler) ?? handler;

/** Remembers the method that a route is defined in place of. @returns the property that the controller gets */
export function definedInPlaceOf(original: Handler, name: string, defined: Handler): PropertyDescriptor {
  Object.defineProperty(defined, 'name', { value: name });
  written.set(defined, original);
  return { value: defined, writable: true, configurable: true, enumerable: false };
}

/**
 * Copies the metadata of one method onto another that has some already: what is copied wins. Objects are merged, and
 * arrays are joined, the copied items first.
 */
export function copyMetadata(from: object, to: object): void {
  for (const key of Reflect.getMetadataKeys(from) as (string | symbol)[]) {
    const copied = Reflect.getMetadata(key, from) as unknown;
    const present = Reflect.getMetadata(key, to) as unknown;
    Reflect.defineMetadata(key, present === undefined ? copied : merged(copied, present), to);
  }
}

function merged(copied: unknown, present: unknown): unknown {
  if (isList(copied) && isList(present)) return [...copied, ...added(present, copied)];
  if (!isPlain(copied) || !isPlain(present)) return copied;
  // Swagger's decorators fill in what they are not told with empty texts.
  const said = Object.entries(copied).filter(([, value]) => value !== '' && value !== undefined);
  return { ...present, ...Object.fromEntries(said) };
}

/** The parameters, headers and interceptors that are not there already. */
function added(present: readonly unknown[], copied: readonly unknown[]): unknown[] {
  const names = new Set(copied.map(nameOf).filter(Boolean));
  return present.filter((item) => !names.has(nameOf(item)));
}

const nameOf = (item: unknown): string | undefined =>
  isPlain(item) && typeof item['name'] === 'string' ? `${String(item['in'])} ${item['name']}` : undefined;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
