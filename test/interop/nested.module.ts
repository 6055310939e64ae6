import { inspect } from 'node:util';

import { BadRequestException, Body, Controller, Module, Post } from '@nestjs/common';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsBoolean,
  IsDate,
  IsInstance,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  Length,
  Min,
  ValidateNested,
} from 'class-validator';

// oxlint-disable-next-line typescript/no-extraneous-class -- its subclasses have nothing in common
abstract class Shape {}

class Circle extends Shape {
  @IsNumber()
  @Min(0)
  r: number;
}

class Square extends Shape {
  @IsNumber()
  side: number;
}

const SHAPES = {
  discriminator: {
    property: 'type',
    subTypes: [
      { value: Circle, name: 'circle' },
      { value: Square, name: 'square' },
    ],
  },
};

export class DrawingDto {
  @ValidateNested()
  @Type(() => Shape, SHAPES)
  shape: Circle | Square;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Shape, SHAPES)
  more?: (Circle | Square)[];
}

abstract class Pet {
  @IsString()
  kind: string;

  @IsOptional()
  @IsString()
  name?: string;
}

class Cat extends Pet {
  @Equals('cat')
  declare kind: string;

  @IsInt()
  lives: number;
}

class Fish extends Pet {
  @IsBoolean()
  isSalty: boolean;
}

export class OwnerDto {
  @ValidateNested()
  @Type(() => Pet, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'kind',
      subTypes: [
        { value: Cat, name: 'cat' },
        { value: Fish, name: 'fish' },
      ],
    },
  })
  pet: Pet;
}

class MoneyDto {
  @IsPositive()
  amount: number;
}

export class CollectionsDto {
  @IsOptional()
  @ValidateNested()
  @Type(() => MoneyDto)
  prices?: Map<string, MoneyDto>;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => MoneyDto)
  fees?: Set<MoneyDto>;

  @IsOptional()
  @IsString({ each: true })
  @Type(() => String)
  tags?: Set<string>;

  @IsOptional()
  @IsInt({ each: true })
  @Type(() => Number)
  counts?: Map<string, number>;
}

class NamedAddressDto {
  @Expose({ name: 'post_code' })
  @IsInt()
  postCode: number;
}

export class NamesDto {
  @Expose({ name: 'first_name' })
  @IsString()
  @Length(2, 20)
  firstName: string;

  @Expose({ name: 'home_address' })
  @IsOptional()
  @ValidateNested()
  @Type(() => NamedAddressDto)
  homeAddress?: NamedAddressDto;
}

export class VisibleDto {
  @IsString()
  name: string;

  @Exclude()
  @IsOptional()
  @IsString()
  role?: string;

  @Exclude({ toPlainOnly: true })
  @IsOptional()
  @IsString()
  password?: string;

  @Exclude()
  @IsOptional()
  @ValidateNested()
  @Type(() => MoneyDto)
  credit?: MoneyDto;

  @Expose({ groups: ['admin'] })
  @IsOptional()
  @IsInt()
  rank?: number;

  @Expose({ since: 2 })
  @IsOptional()
  @IsInt()
  level?: number;
}

@Exclude()
export class StrictDto {
  @Expose()
  @IsString()
  name: string;

  @IsOptional()
  @IsString()
  secret?: string;
}

class Plain {
  x: number;
}

export class TransformedDto {
  @IsOptional()
  @Transform(({ value }: { value: string }) => value.split(','))
  @IsArray()
  @IsString({ each: true })
  tags?: string[];

  @IsOptional()
  @Transform(({ value }) => value ?? 'unknown')
  @IsString()
  city?: string;

  @IsOptional()
  @Transform(({ value }) => (typeof value === 'number' ? new Date(value * 1000) : value))
  @IsDate()
  due?: Date;

  @IsOptional()
  @Transform(({ value }) => new URL(String(value)))
  @IsInstance(URL)
  link?: URL;

  @IsOptional()
  @Transform(({ value }) => JSON.parse(String(value)) as object)
  @IsObject()
  settings?: object;

  @IsOptional()
  @Transform(({ value }) => [value].flat())
  @Type(() => MoneyDto)
  @ValidateNested({ each: true })
  @ArrayMaxSize(2)
  fees?: MoneyDto[];

  @IsOptional()
  @Transform(({ obj }: { obj: { fees?: unknown[]; tags?: string } }) => obj.fees?.length ?? obj.tags?.length)
  @IsInt()
  size?: number;

  @IsOptional()
  @Transform(({ value }) => {
    if (value === 'bad') throw new BadRequestException('never that');
    return value as string;
  })
  @IsString()
  word?: string;

  @IsOptional()
  @IsObject()
  @Type(() => Plain)
  plain?: Plain;
}

export class CategoryDto {
  @IsString()
  name: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => CategoryDto)
  parent?: CategoryDto;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => CategoryDto)
  children?: CategoryDto[];
}

class AuthorDto {
  @IsString()
  name: string;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => BookDto)
  books?: BookDto[];
}

export class BookDto {
  @IsString()
  title: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => AuthorDto)
  author?: AuthorDto;
}

class PartialNamesDto extends PartialType(NamesDto) {}
class PickedDto extends PickType(DrawingDto, ['shape']) {}
class OmittedDto extends OmitType(CollectionsDto, ['fees', 'tags']) {}
class BothDto extends IntersectionType(CategoryDto, PickType(CollectionsDto, ['prices'])) {}

class BaseDto {
  @IsString()
  name: string;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => MoneyDto)
  fees?: MoneyDto[];
}

class DerivedDto extends BaseDto {
  @IsInt()
  extra: number;
}

class CardDto {
  @Length(4, 4)
  last: string;
}

class AccountDto {
  @IsString()
  iban: string;
}

export class PaymentDto {
  @IsString()
  by: string;

  @ValidateNested()
  @Type((options) => (options?.object['by'] === 'card' ? CardDto : AccountDto))
  from: CardDto | AccountDto;
}

/** A handler's argument, including the classes, maps and sets inside it. */
const seen = (value: unknown): object => ({
  seen: inspect(value, { depth: 9, breakLength: 999, sorted: true }),
});

@Controller({ path: 'nested', version: '1' })
class NestedController {
  @Post('drawing')
  drawing(@Body() body: DrawingDto): object {
    return seen(body);
  }

  @Post('owner')
  owner(@Body() body: OwnerDto): object {
    return seen(body);
  }

  @Post('collections')
  collections(@Body() body: CollectionsDto): object {
    return seen(body);
  }

  @Post('names')
  names(@Body() body: NamesDto): object {
    return seen(body);
  }

  @Post('visible')
  visible(@Body() body: VisibleDto): object {
    return seen(body);
  }

  @Post('strict')
  strict(@Body() body: StrictDto): object {
    return seen(body);
  }

  @Post('transformed')
  transformed(@Body() body: TransformedDto): object {
    return seen(body);
  }

  @Post('category')
  category(@Body() body: CategoryDto): object {
    return seen(body);
  }

  @Post('book')
  book(@Body() body: BookDto): object {
    return seen(body);
  }

  @Post('partial')
  partial(@Body() body: PartialNamesDto): object {
    return seen(body);
  }

  @Post('picked')
  picked(@Body() body: PickedDto): object {
    return seen(body);
  }

  @Post('omitted')
  omitted(@Body() body: OmittedDto): object {
    return seen(body);
  }

  @Post('both')
  both(@Body() body: BothDto): object {
    return seen(body);
  }

  @Post('derived')
  derived(@Body() body: DerivedDto): object {
    return seen(body);
  }

  @Post('payment')
  payment(@Body() body: PaymentDto): object {
    return seen(body);
  }
}

@Module({ controllers: [NestedController] })
export class NestedModule {}
