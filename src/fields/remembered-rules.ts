import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Find = Storage['getTargetValidationMetadatas'];
type Rules = ReturnType<Find>;

/** How often rules were added: what was worked out of the rules of a class holds for as long as it stays the same. */
let additions = 0;

export const ruleAdditions = (): number => additions;

/**
 * Has class-validator remember the rules of each class. It looks through the rules of all classes for each body that it
 * validates, which costs more the more classes there are. Rules that are added later are found: they make it forget.
 */
export function rememberRules(storage: Storage = getMetadataStorage()): void {
  let found = new WeakMap<object, Map<string, Rules>>();
  const find: Find = storage.getTargetValidationMetadatas.bind(storage);
  const add = storage.addValidationMetadata.bind(storage);
  storage.addValidationMetadata = (metadata): void => {
    found = new WeakMap();
    additions++;
    add(metadata);
  };
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups): Rules => {
    if (typeof target !== 'function') return find(target, schema, always, strictGroups, groups);
    const question = JSON.stringify([schema, always, strictGroups, groups]);
    const ofClass = found.get(target) ?? new Map<string, Rules>();
    let rules = ofClass.get(question);
    if (!rules) {
      rules = find(target, schema, always, strictGroups, groups);
      // Groups come from the caller: as many as there are.
      if (!groups || groups.length === 0) found.set(target, ofClass.set(question, rules));
    }
    return rules;
  };
}
