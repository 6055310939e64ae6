import { getMetadataStorage } from 'class-validator';

import { FIELD_RULE, FieldClass, FieldOptions, isOptional } from './field.js';

export type ValidatorRule = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** Returns the rules of a class and its parents, from the storage that class-validator exports for adapters. */
export const findValidatorRules = (dto: FieldClass): readonly ValidatorRule[] =>
  getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);

/**
 * Gives a field of a derived class the rules that decorators of class-validator add to the field in its source, such as
 * `@Matches()`. They skip a missing value if the field is optional in the derived class, and `null` if it is nullable.
 * @param options the options of the field in the derived class
 */
export function inheritRules(
  source: FieldClass,
  derived: FieldClass,
  name: string,
  options: FieldOptions,
): void {
  const isSkipped = (value: unknown): boolean =>
    (value === undefined && isOptional(options)) || (value === null && options.nullable === true);
  for (const rule of findValidatorRules(source)) {
    if (rule.propertyName !== name || rule.context === FIELD_RULE) continue;
    const validateIf = (object: unknown, value: unknown): boolean =>
      !isSkipped(value) && (rule.validateIf?.(object, value) ?? true);
    getMetadataStorage().addValidationMetadata({ ...rule, target: derived, validateIf });
  }
}
