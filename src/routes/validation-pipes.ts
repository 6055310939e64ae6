import { Type, ValidationPipe } from '@nestjs/common';
import { PIPES_METADATA } from '@nestjs/common/constants.js';

import { RuleOptions } from '../fields/read-payload.js';

/** The options of the `ValidationPipe`s that apply to a parameter. */
export interface Validation {
  readonly rules?: RuleOptions;
  readonly dropsUnknown?: boolean;
  /** One of them is a team's own, by subclass or by the errors that it makes: it validates alone. */
  readonly isForeign?: boolean;
}

/** Pipes without NestJS's own `ValidationPipe`, and the options of that one. */
interface Stripped {
  readonly pipes: readonly unknown[];
  readonly validation: Validation;
}

/** The members of the pipe, some of which are protected. */
interface PipeState {
  readonly validatorOptions: RuleOptions & { whitelist?: boolean; forbidNonWhitelisted?: boolean };
  readonly isDetailedOutputDisabled?: boolean;
  readonly exceptionFactory: (...args: never[]) => unknown;
  readonly expectedType?: Type;
}

/**
 * Takes NestJS's own `ValidationPipe`, as a class or an instance, out of a list of pipes: the pipe that its routes are
 * given validates by its options, and answers as for every other body.
 */
export function withoutValidationPipes(pipes: readonly unknown[]): Stripped {
  let validation: Validation = {};
  const others = pipes.filter((pipe) => {
    if (pipe === ValidationPipe) return false;
    if (!isValidationPipe(pipe)) return true;
    if (!isStock(pipe)) {
      validation = { ...validation, isForeign: true };
      return true;
    }
    validation = merged(validation, validationOf(pipe));
    return false;
  });
  return { pipes: others, validation };
}

/** Options of two, of which those of the nearer one win. */
export const merged = (outer: Validation, nearer: Validation): Validation => ({
  ...outer,
  ...nearer,
  rules: { ...outer.rules, ...nearer.rules },
});

const stripped = new WeakMap<readonly unknown[], Validation>();

/** Takes them from `@UsePipes()` of a controller or a route. */
export function takeValidationPipes(holder: object): Validation {
  const pipes = Reflect.getMetadata(PIPES_METADATA, holder) as readonly unknown[] | undefined;
  if (!pipes) return {};
  const known = stripped.get(pipes);
  if (known) return known;
  const { pipes: others, validation } = withoutValidationPipes(pipes);
  Reflect.defineMetadata(PIPES_METADATA, others, holder);
  stripped.set(others, validation);
  return validation;
}

function isValidationPipe(pipe: unknown): pipe is ValidationPipe | Type<ValidationPipe> {
  if (typeof pipe === 'function') return pipe.prototype instanceof ValidationPipe;
  return pipe instanceof ValidationPipe;
}

/** Whether a pipe is NestJS's own, with its own way of making errors. */
function isStock(pipe: ValidationPipe | Type<ValidationPipe>): pipe is ValidationPipe {
  if (typeof pipe === 'function' || pipe.constructor !== ValidationPipe) return false;
  const { exceptionFactory, isDetailedOutputDisabled, expectedType } = pipe as unknown as PipeState;
  const isOwn = String(exceptionFactory) === String(pipe.createExceptionFactory());
  return isOwn && !isDetailedOutputDisabled && !expectedType;
}

function validationOf(pipe: ValidationPipe): Validation {
  const { whitelist, forbidNonWhitelisted, ...options } = (pipe as unknown as PipeState).validatorOptions;
  const { groups, always, strictGroups } = options;
  const { skipMissingProperties, skipNullProperties, skipUndefinedProperties } = options;
  const rules = {
    ...(groups && { groups }),
    ...(always !== undefined && { always }),
    ...(strictGroups !== undefined && { strictGroups }),
    ...(skipMissingProperties !== undefined && { skipMissingProperties }),
    ...(skipNullProperties !== undefined && { skipNullProperties }),
    ...(skipUndefinedProperties !== undefined && { skipUndefinedProperties }),
  };
  return { rules, ...(whitelist && { dropsUnknown: !forbidNonWhitelisted }) };
}
