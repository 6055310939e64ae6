/** The files under `src/`, by their paths from there. */
export type Sources = ReadonlyMap<string, string>;

/** Something of another module that a generated one refers to. */
export interface Reference {
  /** The class of its entity. */
  readonly entity: string;
  /** From `src/`, without its ending. */
  readonly entityFile: string;
  readonly hasUuid: boolean;
}

/** Looks up an entity by the name of its class. */
export function referenceTo(sources: Sources, entity: string): Reference | undefined {
  const form = new RegExp(`export class ${entity} extends (\\w+)`);
  for (const [file, text] of sources) {
    const base = file.endsWith('.entity.ts') ? form.exec(text)?.[1] : undefined;
    if (base !== undefined)
      return { entity, entityFile: file.replace(/\.ts$/, ''), hasUuid: base === 'UuidResourceEntity' };
  }
  return undefined;
}
