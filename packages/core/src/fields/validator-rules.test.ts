import {
  ArrayContains,
  IsIn,
  IsOptional,
  Matches,
  registerDecorator,
  ValidateIf,
  ValidationArguments,
} from 'class-validator';

import { readBody, faultsOf } from '../../../../test/support/read-body.js';
import { Json, TextArray } from './collections.js';
import { BodyOf, PatchOf, PickOf } from './derive.js';
import { Dto } from './field.js';
import { Integer, Text } from './fields.js';

/** A rule that compares two properties, made with class-validator itself. */
function IsAtLeast(other: string): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'isAtLeast',
      target: target.constructor,
      propertyName: String(property),
      constraints: [other],
      options: { context: { code: 'BELOW' } },
      validator: {
        validate: (value, args?: ValidationArguments) =>
          Number(value) >= Number((args?.object as Record<string, unknown>)[other]),
      },
    });
  };
}

class Place {
  @Text({ max: 5 })
  @Matches(/^\d+$/)
  zip: string;

  @Text({ max: 5 })
  city: string;
}

class Report {
  @Text({ max: 7 })
  @Matches(/^\d{4}-(0[1-9]|1[0-2])$/, { message: 'must be a month' })
  month: string;

  @Text({ max: 5, optional: true })
  @IsIn(['a', 'b'])
  kind?: string;

  @Text({ max: 5, nullable: true })
  @Matches(/^x/, { context: { code: 'NO_X' } })
  note: string | null;

  @Text({ max: 5, default: 'up' })
  @Matches(/^(up|down)$/)
  trend: string;

  @TextArray({ maxItems: 3, max: 5, default: ['k'] })
  @Matches(/^[a-z]+$/, { each: true })
  @ArrayContains(['k'])
  tags: string[];

  @Integer({ min: 0, default: 0 })
  low: number;

  @Integer({ min: 0, default: 9 })
  @IsAtLeast('low')
  high: number;

  @Json({ type: Place, optional: true })
  place?: Place;

  @Text({ max: 5, optional: true })
  @ValidateIf((report: Report) => report.low > 0)
  @Matches(/^y/)
  reason?: string;
}

const NAMES = ['month', 'kind', 'note', 'trend', 'tags', 'low', 'high', 'place', 'reason'] as const;

class ReportDto extends PickOf(Report, NAMES) {}
class ReportBody extends BodyOf(ReportDto, NAMES) {}
class ReportPatch extends PatchOf(ReportBody) {}
class StrictBody extends BodyOf(ReportDto, ['month', 'kind'], { kind: { optional: false } }) {}
class OwnBody extends BodyOf(Report, ['month']) {
  @Text({ max: 7 })
  @Matches(/^2026/)
  override month: string;
}

/** A source that inherits its rules, and adds one. */
class DailyReport extends Report {
  @Text({ max: 5 })
  @IsOptional()
  @Matches(/^d/)
  day?: string;
}
class DailyBody extends BodyOf(DailyReport, ['month', 'day']) {}

const valid = { month: '2026-12', note: 'x' };

describe('rules that decorators of class-validator add to a field', () => {
  it.each<[string, Dto, object]>([
    ['a body whose values follow them', ReportBody, { ...valid, kind: 'a', trend: 'down', tags: ['a', 'k'] }],
    ['a body without its optional and nullable fields', ReportBody, { month: '2026-12' }],
    ['null for a nullable field', ReportBody, { ...valid, note: null }],
    ['a rule that does not apply', ReportBody, { ...valid, reason: 'no' }],
    ['a patch without any field', ReportPatch, {}],
    ['a patch with null for a nullable field', ReportPatch, { note: null }],
    ['a patch of one member of JSON', ReportPatch, { place: { city: 'Oslo' } }],
    ['a field that is optional by @IsOptional()', DailyBody, { month: '2026-12' }],
    ['a value that only the rule of the DTO itself accepts', OwnBody, { month: '2026-13' }],
  ])('accept %s', (_, dto, body) => {
    expect(readBody(body, dto)).toMatchObject(body);
  });

  it.each<[string, Dto, object, string]>([
    ['a body', ReportBody, { ...valid, month: '2026-13' }, '422 month:BAD_FORMAT'],
    ['a patch', ReportPatch, { month: '2026-13' }, '422 month:BAD_FORMAT'],
    ['an optional field', ReportBody, { ...valid, kind: 'c' }, '422 kind:NOT_ALLOWED'],
    ['an optional field of a patch', ReportPatch, { kind: 'c' }, '422 kind:NOT_ALLOWED'],
    ['a nullable field, with their code', ReportBody, { ...valid, note: 'y' }, '422 note:NO_X'],
    ['a field with a default', ReportBody, { ...valid, trend: 'side' }, '422 trend:BAD_FORMAT'],
    ['each item of an array', ReportBody, { ...valid, tags: ['k', 'B'] }, '422 tags:BAD_FORMAT'],
    ['an array', ReportBody, { ...valid, tags: ['a'] }, '422 tags:NOT_ALLOWED'],
    ['two fields', ReportBody, { ...valid, low: 3, high: 2 }, '422 high:BELOW'],
    [
      'a field, if a condition applies',
      ReportBody,
      { ...valid, low: 1, reason: 'no' },
      '422 reason:BAD_FORMAT',
    ],
    [
      'a member of JSON',
      ReportBody,
      { ...valid, place: { zip: 'x', city: 'Oslo' } },
      '422 place.zip:BAD_FORMAT',
    ],
    ['a member of JSON in a patch', ReportPatch, { place: { zip: 'x' } }, '422 place.zip:BAD_FORMAT'],
    ['an inherited field', DailyBody, { month: '2026-13', day: 'e' }, '422 month:BAD_FORMAT day:BAD_FORMAT'],
    ['a field that the DTO declares again', OwnBody, { month: '2025-12' }, '422 month:BAD_FORMAT'],
  ])('apply in derived DTOs to %s', (_, dto, body, faults) => {
    expect(faultsOf(dto, body)).toBe(faults);
  });

  it('do not replace the rules of the field itself', () => {
    expect(faultsOf(ReportBody, { month: 7 })).toBe('400 month:WRONG_TYPE');
    expect(faultsOf(ReportBody, {})).toBe('400 month:REQUIRED');
    expect(faultsOf(StrictBody, { month: '2026-12' })).toBe('400 kind:REQUIRED');
    expect(faultsOf(StrictBody, { month: '2026-12', kind: null })).toBe('400 kind:WRONG_TYPE');
    expect(faultsOf(ReportBody, { month: '2026-123' })).toBe('422 month:TOO_LONG month:BAD_FORMAT');
  });
});
