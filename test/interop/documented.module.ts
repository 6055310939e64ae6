import {
  Body,
  Controller,
  Get,
  Module,
  Param,
  ParseIntPipe,
  ParseUUIDPipe,
  Patch,
  Post,
} from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiParam,
  ApiProperty,
  ApiPropertyOptional,
  getSchemaPath,
} from '@nestjs/swagger';
import { Expose, Type } from 'class-transformer';
import { Allow, IsEnum, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';

export enum Mood {
  Calm = 'calm',
  Wild = 'wild',
}

class PointDto {
  @ApiProperty()
  @Allow()
  x: number;

  @ApiProperty({ minimum: 10, exclusiveMinimum: true, maximum: 11, exclusiveMaximum: true })
  @Allow()
  y: number;
}

/** Properties declared in many ways, none with an example. */
class ShapesDto {
  @ApiProperty()
  @Allow()
  text: string;

  @ApiProperty({ minLength: 30, maxLength: 40 })
  @Allow()
  long: string;

  @ApiProperty({ maxLength: 2 })
  @Allow()
  short: string;

  @ApiProperty({ format: 'uuid' })
  @Allow()
  uuid: string;

  @ApiProperty({ format: 'email' })
  @Allow()
  email: string;

  @ApiProperty({ format: 'uri' })
  @Allow()
  uri: string;

  @ApiProperty({ format: 'ipv4' })
  @Allow()
  address: string;

  @ApiProperty()
  @Allow()
  date: Date;

  @ApiProperty({ pattern: '^[a-z ]+$' })
  @Allow()
  lower: string;

  @ApiProperty({ enum: Mood })
  @Allow()
  mood: Mood;

  @ApiProperty({ enum: Mood, enumName: 'Mood' })
  @Allow()
  namedMood: Mood;

  @ApiProperty({ enum: Mood, isArray: true })
  @Allow()
  moods: Mood[];

  @ApiProperty({ type: [String] })
  @Allow()
  tags: string[];

  @ApiProperty({ type: [String], minItems: 3 })
  @Allow()
  three: string[];

  @ApiProperty({ type: [Number], maxItems: 0 })
  @Allow()
  none: number[];

  @ApiProperty({ type: [PointDto] })
  @Allow()
  points: PointDto[];

  @ApiProperty()
  @ValidateNested()
  point: PointDto;

  @ApiProperty({ type: 'integer', minimum: 7, maximum: 12, multipleOf: 5 })
  @Allow()
  tens: number;

  @ApiProperty({ type: 'integer', maximum: -3 })
  @Allow()
  below: number;

  @ApiProperty({ type: 'integer', minimum: 5, exclusiveMinimum: true })
  @Allow()
  above: number;

  @ApiProperty({ minimum: 0.25, maximum: 0.5 })
  @Allow()
  share: number;

  @ApiProperty()
  @Allow()
  yes: boolean;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } })
  @Allow()
  prices: Record<string, number>;

  @ApiProperty({ type: String, nullable: true })
  @Allow()
  maybe: string | null;

  @ApiProperty({ allOf: [{ $ref: getSchemaPath(PointDto) }] })
  @ValidateNested()
  all: PointDto;

  @ApiPropertyOptional()
  @Allow()
  optional?: string;
}

/** The generator of examples knows no text that matches this pattern. */
class CodeDto {
  @ApiProperty({ pattern: '^[A-Z]{3}-\\d{4}$' })
  @IsString()
  code: string;
}

class CircleDto {
  @ApiProperty()
  @IsString()
  kind: string;

  @ApiProperty()
  @IsInt()
  r: number;
}

class SquareDto {
  @ApiProperty()
  @IsString()
  kind: string;

  @ApiProperty()
  @IsInt()
  side: number;
}

@ApiExtraModels(CircleDto, SquareDto)
class EitherDto {
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(CircleDto) }, { $ref: getSchemaPath(SquareDto) }],
    discriminator: {
      propertyName: 'kind',
      mapping: { circle: getSchemaPath(CircleDto), square: getSchemaPath(SquareDto) },
    },
  })
  @Allow()
  shape: CircleDto | SquareDto;
}

export class FolderDto {
  @ApiProperty()
  @IsString()
  name: string;

  @ApiPropertyOptional({ type: () => FolderDto })
  @IsOptional()
  @ValidateNested()
  @Type(() => FolderDto)
  parent?: FolderDto;

  @ApiProperty({ type: () => [FolderDto] })
  @ValidateNested({ each: true })
  @Type(() => FolderDto)
  children: FolderDto[];
}

class WriterDto {
  @ApiProperty()
  @IsString()
  name: string;

  @ApiProperty({ type: () => [NovelDto] })
  @ValidateNested({ each: true })
  @Type(() => NovelDto)
  novels: unknown[];
}

class NovelDto {
  @ApiProperty()
  @IsString()
  title: string;

  @ApiProperty({ type: () => WriterDto })
  @ValidateNested()
  @Type(() => WriterDto)
  writer: WriterDto;
}

/** A class without a finite instance. */
class EndlessDto {
  @ApiProperty({ type: () => EndlessDto })
  @ValidateNested()
  @Type(() => EndlessDto)
  next: EndlessDto;
}

class PatchPointDto {
  @ApiPropertyOptional()
  @IsOptional()
  @IsInt()
  x?: number;

  @ApiProperty()
  @IsInt()
  revision: number;
}

class NamedDto {
  @ApiProperty()
  @Expose({ name: 'first_name' })
  @IsString()
  firstName: string;
}

class MoodsDto {
  @ApiProperty({ enum: Mood })
  @IsEnum(Mood)
  mood: Mood;

  @ApiProperty({ minimum: 2000 })
  @IsInt()
  @Type(() => Number)
  year: number;
}

@Controller({ path: 'shown', version: '1' })
class ShownController {
  @Post('shapes')
  @ApiOkResponse({ type: ShapesDto })
  shapes(@Body() body: ShapesDto): ShapesDto {
    return body;
  }

  @Post('code')
  code(@Body() body: CodeDto): object {
    return body;
  }

  @Patch('code')
  patchCode(@Body() body: CodeDto): object {
    return body;
  }

  @Post('either')
  either(@Body() body: EitherDto): object {
    return body;
  }

  @Post('folder')
  @ApiOkResponse({ type: [FolderDto] })
  folder(@Body() body: FolderDto): object {
    return [body];
  }

  @Post('novel')
  novel(@Body() body: NovelDto): object {
    return body;
  }

  @Post('endless')
  endless(@Body() body: EndlessDto): object {
    return body;
  }

  @Post('named')
  named(@Body() body: NamedDto): object {
    return body;
  }

  @Patch('point')
  patch(@Body() body: PatchPointDto): object {
    return body;
  }

  @Get('moods/:mood/:year')
  moods(@Param() { mood, year }: MoodsDto): object {
    return { mood, year };
  }

  @Get('kinds/:kind')
  @ApiParam({ name: 'kind', enum: ['a', 'b'] })
  kind(@Param('kind') kind: string): object {
    return { kind };
  }

  @Get('named/:mood')
  @ApiParam({ name: 'mood', enum: Mood, enumName: 'Mood' })
  namedMood(@Param('mood') mood: Mood): object {
    return { mood };
  }

  @Get('pages/:page')
  page(@Param('page', ParseIntPipe) page: number): object {
    return { page };
  }

  @Get('slugs/:slug')
  slug(@Param('slug') slug: string): object {
    return { slug };
  }

  @Get('uuids/:id')
  @ApiParam({ name: 'id', format: 'uuid', description: 'The key of a thing.' })
  uuid(@Param('id', ParseUUIDPipe) id: string): object {
    return { id };
  }

  @Get('words/:wordId')
  word(@Param('wordId') wordId: string): object {
    return { wordId };
  }

  @Get('numbers/:id')
  number(@Param('id', ParseIntPipe) id: number): object {
    return { id };
  }

  @Get('years/:year')
  @ApiParam({ name: 'year', schema: { type: 'integer', minimum: 1900, example: 1999 } })
  year(@Param('year', ParseIntPipe) year: number): object {
    return { year };
  }

  @Get('letters/:letter')
  @ApiParam({ name: 'letter', examples: { first: { value: 'a' }, last: { value: 'z' } } })
  letter(@Param('letter') letter: string): object {
    return { letter };
  }
}

@Module({ controllers: [ShownController] })
export class DocumentedModule {}
