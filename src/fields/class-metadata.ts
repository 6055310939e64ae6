// @ts-expect-error -- class-transformer has no types at the path of its storage
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';

import { Dto, fieldsOf } from './field.js';

// What the decorators of class-validator and class-transformer say of a class.

/** A rule of class-validator, as it keeps it. */
export interface RuleMetadata {
  type: string;
  /** The constraint; left out for nested values and conditions. */
  name?: string;
  target: object;
  propertyName: string;
  constraints?: unknown[];
  constraintCls?: unknown;
  /** Its `context` option. */
  context?: { readonly code?: unknown };
  /** Of an array: each item is judged. */
  each?: boolean;
}

interface TransformMetadata {
  readonly transformFn: (params: object) => unknown;
}

interface TypeMetadata {
  readonly reflectedType: unknown;
  readonly typeFunction: () => Dto;
  readonly options: {
    readonly discriminator?: {
      readonly property: string;
      readonly subTypes: readonly { readonly name: string; readonly value: Dto }[];
    };
  };
}

interface TransformerStorage {
  findTypeMetadata(target: object, property: string): TypeMetadata | undefined;
  findTransformMetadatas(target: object, property: string, direction: number): readonly TransformMetadata[];
  findExposeMetadata(
    target: object,
    property: string,
  ): { readonly options: { readonly name?: string } } | undefined;
  findExcludeMetadata(target: object, property: string): object | undefined;
  /** By `@Expose()` or `@Exclude()` on the class itself. */
  getStrategy(target: object): 'none' | 'excludeAll' | 'exposeAll';
}

const transformer = defaultMetadataStorage as TransformerStorage;
const validator = getMetadataStorage() as unknown as {
  validationMetadatas: Map<unknown, RuleMetadata[]>;
};

const PLAIN_TO_CLASS = 0;
export const CONDITION = 'conditionalValidation';
export const NESTED = 'nestedValidation';

/** `@Type()` of a property. */
export const typeOf = (dto: Dto, property: string): TypeMetadata | undefined =>
  transformer.findTypeMetadata(dto, property);

/** `@Transform()` of a property, several in their order. */
export const transformsOf = (dto: Dto, property: string): readonly TransformMetadata[] =>
  transformer.findTransformMetadatas(dto, property, PLAIN_TO_CLASS);

/** Whether class-transformer, asked for an instance of a class, copies each of some properties under its own name. */
export const isCopiedByName = (dto: Dto, properties: readonly string[]): boolean =>
  transformer.getStrategy(dto) === 'none' &&
  properties.every(
    (property) =>
      !transformer.findExposeMetadata(dto, property) && !transformer.findExcludeMetadata(dto, property),
  );

/** The rules of a class as class-validator applies them, those of no group. */
export const appliedRulesOf = (dto: Dto): readonly RuleMetadata[] =>
  getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false) as unknown as RuleMetadata[];

/** The name of a property in a body: its own, or that of `@Expose({ name })`. */
export const exposedName = (dto: Dto, property: string): string =>
  transformer.findExposeMetadata(dto, property)?.options.name ?? property;

/**
 * The rules of a class, its own and inherited ones, by property. An inherited one is replaced by one of the same name;
 * those of a field decorator (`@Text()`) by another field decorator.
 *
 * class-validator forgets all inherited rules of a property that has a rule of its own: what it forgets is declared
 * anew.
 */
export function rulesOf(dto: Dto): ReadonlyMap<string, readonly RuleMetadata[]> {
  const own = validator.validationMetadatas.get(dto) ?? [];
  const inherited: RuleMetadata[] = [];
  const effective = [...own];
  for (let parent = parentOf(dto); parent; parent = parentOf(parent)) {
    const rules = validator.validationMetadatas.get(parent) ?? [];
    inherited.push(...rules);
    const nearer = [...effective];
    effective.push(...rules.filter((rule) => !nearer.some((other) => replaces(other, rule))));
  }
  const forgotten = inherited.filter((rule) =>
    own.some(({ propertyName, type }) => propertyName === rule.propertyName && type === rule.type),
  );
  const isCollected = own.length + inherited.length - forgotten.length === effective.length;
  const rules = isCollected ? effective : effective.map((rule) => copyFor(dto, rule));
  if (!isCollected) validator.validationMetadatas.set(dto, rules);
  const fields = fieldsOf(dto);
  for (const rule of rules) if (fields.has(rule.propertyName)) translateOptional(rule);
  return groupByProperty(rules);
}

const parentOf = (dto: Dto): Dto | undefined => {
  const parent = Object.getPrototypeOf(dto) as Dto | null;
  return parent && parent !== (Function.prototype as unknown) ? parent : undefined;
};

function groupByProperty(rules: readonly RuleMetadata[]): Map<string, RuleMetadata[]> {
  const groups = new Map<string, RuleMetadata[]>();
  for (const rule of rules) groups.set(rule.propertyName, [...(groups.get(rule.propertyName) ?? []), rule]);
  return groups;
}

/** Names of the rules of field decorators are codes. */
const isOfField = ({ name }: RuleMetadata): boolean => name !== undefined && /^[A-Z]/.test(name);

function replaces(nearer: RuleMetadata, rule: RuleMetadata): boolean {
  if (nearer.propertyName !== rule.propertyName) return false;
  if (isOfField(nearer) && isOfField(rule)) return true;
  const { type, name, each, constraintCls } = rule;
  const isSame = nearer.type === type && nearer.name === name && nearer.each === each;
  return isSame && (name !== undefined || nearer.constraintCls === constraintCls);
}

const copyFor = (target: Dto, rule: RuleMetadata): RuleMetadata =>
  rule.target === target
    ? rule
    : Object.assign(Object.create(Object.getPrototypeOf(rule) as object) as RuleMetadata, rule, { target });

/** `@IsOptional()` lets `null` pass, and switches off all rules: of a field it says only that it may be absent. */
function translateOptional(rule: RuleMetadata): void {
  if (rule.type !== CONDITION || rule.name !== 'isOptional') return;
  rule.constraints = [(_: object, value: unknown) => value !== undefined];
}
