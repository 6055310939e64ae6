import { getMetadataArgsStorage } from 'typeorm';

export type EntityClass = new () => unknown;

/** Some entities, and those that their foreign keys and relations lead to: TypeORM takes none without the others. */
export function withReferenced(entities: Iterable<EntityClass>): EntityClass[] {
  const { foreignKeys, relations } = getMetadataArgsStorage();
  const found = new Set(entities);
  for (const entity of found) {
    for (const { target, type } of [...foreignKeys, ...relations]) {
      const isOwn = typeof target === 'function' && (entity === target || entity.prototype instanceof target);
      if (!isOwn || typeof type !== 'function') continue;
      const referenced = (type as () => EntityClass | string)();
      if (typeof referenced === 'function') found.add(referenced);
    }
  }
  return [...found];
}
