import { ValidationError } from 'class-validator';

import { RuleMetadata } from './class-metadata.js';
import { codeOf } from './constraints.js';
import { Fault, FAULTS } from './faults.js';
import { Dto } from './field.js';
import { Property, Shape, shapeOf } from './shape.js';

/** The faults of a body, and the fields that rules need not judge again. */
export class Verdict {
  readonly faults: Fault[] = [];
  /** Values with a structure of their own, by what they belong to: class-transformer would walk and copy them. */
  readonly whole = new Map<object, Map<string, unknown>>();
  /** Fields with the codes of their faults. */
  private readonly judged = new Set<string>();

  /** Adds a fault that was found before the rules are asked: they have nothing to add to it. */
  judge(fault: Fault): void {
    this.faults.push(fault);
    this.judged.add(judgedBy(fault.field, fault.code));
  }

  /** Leaves a field to what was found wrong inside of it. */
  leave(field: string): void {
    this.judged.add(judgedBy(field, 'WRONG_TYPE'));
  }

  /** Adds what class-validator found. */
  collect(errors: readonly ValidationError[], path: string, shape: Shape | undefined): void {
    for (const error of errors) {
      const field = path + error.property;
      // What is of the wrong type was left out: it would be missing.
      if (this.isJudged(field, 'WRONG_TYPE') || this.isJudged(field, 'BAD_CHARACTER')) continue;
      const property = shape?.byName.get(error.property);
      this.addAll(error, field, property);
      if (error.children?.length) this.collectNested(error, field, property);
    }
  }

  private collectNested(
    { children = [], value }: ValidationError,
    field: string,
    property: Property | undefined,
  ): void {
    if (!Array.isArray(value)) {
      this.collect(children, `${field}.`, nestedShape(property, value));
      return;
    }
    for (const item of children) {
      const path = `${field}.${item.property}`;
      if (this.isJudged(path, 'WRONG_TYPE')) continue;
      this.collect(item.children ?? [], `${path}.`, nestedShape(property, item.value));
    }
  }

  private addAll(error: ValidationError, field: string, property: Property | undefined): void {
    for (const [name, message] of Object.entries(error.constraints ?? {})) {
      // class-validator's own complaint about a value that has no fields; its type was judged by ours.
      if (name === 'nestedValidation') continue;
      const code = this.codeFor(error, name, property);
      if (this.isJudged(field, code)) continue;
      // Of what is missing, nothing else is said.
      if (code !== 'REQUIRED' && error.value === undefined) continue;
      const text = code === 'REQUIRED' && !(name in FAULTS) ? 'is missing, and required' : message;
      this.judge({ field, code, message: text });
    }
  }

  private codeFor(error: ValidationError, name: string, property: Property | undefined): string {
    if (name in FAULTS) return name;
    if (error.value === undefined) return 'REQUIRED';
    const rule = property?.rules.find((candidate) => candidate.name === name);
    // class-validator gives an error the contexts of some of its rules only.
    const context = rule?.context ?? (error.contexts?.[name] as RuleMetadata['context']);
    if (typeof context?.code === 'string') return context.code;
    if (error.value === null) return 'WRONG_TYPE';
    return codeOf(name, error.value, rule?.constraints ?? []);
  }

  private isJudged(field: string, code: string): boolean {
    return this.judged.has(judgedBy(field, code));
  }
}

const judgedBy = (field: string, code: string): string => `${field} ${code}`;

function nestedShape(property: Property | undefined, value: unknown): Shape | undefined {
  const nested: Dto | undefined = property?.nestedOf?.(value);
  return nested && shapeOf(nested);
}
