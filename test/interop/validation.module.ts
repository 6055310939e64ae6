import {
  Body,
  Controller,
  DefaultValuePipe,
  Get,
  Module,
  Param,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Post,
  Query,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  registerDecorator,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
  ValidatorConstraintInterface,
} from 'class-validator';

import { Money, Text } from '../../packages/core/src/fields/fields.js';

export enum Colour {
  Red = 'red',
  Green = 'green',
}

/** An asynchronous rule of the team, which answers slowly. */
@ValidatorConstraint({ async: true })
class IsKnownCity implements ValidatorConstraintInterface {
  async validate(city: unknown): Promise<boolean> {
    return Promise.resolve(city === 'Oslo');
  }

  defaultMessage(): string {
    return 'city is not one that we deliver to';
  }
}

/** A rule made with class-validator itself. */
function IsEven(): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'isEven',
      target: target.constructor,
      propertyName: String(property),
      options: { context: { code: 'ODD_NUMBER' } },
      validator: { validate: (value) => typeof value === 'number' && value % 2 === 0 },
    });
  };
}

class AddressDto {
  @IsString()
  @Length(1, 50)
  street: string;

  @Validate(IsKnownCity)
  city: string;
}

class LineDto {
  @IsInt()
  @Min(1)
  quantity: number;

  @IsOptional()
  @IsString()
  note?: string;
}

export class TicketOrderDto {
  @IsEmail()
  email: string;

  @Length(2, 5, { message: 'name is of 2 to 5 letters' })
  name: string;

  @IsEnum(Colour)
  colour: Colour;

  @IsNumber({ maxDecimalPlaces: 2 })
  @Max(100)
  price: number;

  @IsOptional()
  @IsBoolean()
  isGift?: boolean;

  @IsOptional()
  @Type(() => Date)
  @IsDate()
  due?: Date;

  @IsArray()
  @ArrayMaxSize(3)
  @ArrayUnique()
  @IsString({ each: true })
  tags: string[];

  @IsOptional()
  @IsEven()
  pairs?: number;

  @ValidateIf((order: TicketOrderDto) => order.isGift === true)
  @IsNotEmpty()
  greeting: string;

  @ValidateNested()
  @Type(() => AddressDto)
  address: AddressDto;

  @ValidateNested({ each: true })
  @Type(() => LineDto)
  lines: LineDto[];
}

/** Stock decorators together with field decorators. */
class MixedDto {
  @Text({ max: 20 })
  @IsEmail()
  email: string;

  @Money()
  @IsOptional()
  price?: number;

  @IsIn(['a', 'b'])
  kind: string;
}

class TrimmedDto {
  @Transform(({ value }: { value: string }) => value.trim())
  @Length(1, 5)
  name: string;
}

export class SearchDto {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  page: number = 1;

  @IsOptional()
  @IsBoolean()
  open?: boolean;

  @IsOptional()
  @IsEnum(Colour)
  colour?: Colour;

  @IsOptional()
  @Type(() => Number)
  @IsInt({ each: true })
  ids?: number[];

  @IsOptional()
  @Type(() => Date)
  @IsDate()
  since?: Date;
}

class PlaceDto {
  @IsInt()
  @Min(1)
  row: number;

  @Length(1, 1)
  seat: string;
}

@Controller({ path: 'checked', version: '1' })
class CheckedController {
  @Post('order')
  order(@Body() body: TicketOrderDto): object {
    return { is: body.constructor.name, address: body.address.constructor.name, due: body.due ?? null };
  }

  @Post('mixed')
  mixed(@Body() body: MixedDto): object {
    return body;
  }

  @Post('trimmed')
  trimmed(@Body() body: TrimmedDto): object {
    return body;
  }

  @Get('search')
  search(@Query() query: SearchDto): object {
    return { ...query, types: Object.values(query).map((value) => typeof value) };
  }

  @Get('typed')
  typed(@Query('page') page: number, @Query('open') open: boolean, @Query('word') word: string): object {
    return { page, open, word };
  }

  @Get('parsed')
  parsed(
    @Query('limit', new DefaultValuePipe(10), ParseIntPipe) limit: number,
    @Query('ids', new ParseArrayPipe({ items: Number, optional: true })) ids?: number[],
    @Query('open', new ParseBoolPipe({ optional: true })) open?: boolean,
  ): object {
    return { limit, ids: ids ?? null, open: open ?? null };
  }

  @Get('numbers/:id')
  number(@Param('id', ParseIntPipe) id: number): object {
    return { id };
  }

  @Get('uuids/:id')
  uuid(@Param('id', ParseUUIDPipe) id: string): object {
    return { id };
  }

  @Get('texts/:text')
  text(@Param('text') text: string): object {
    return { text };
  }

  @Get('places/:row/:seat')
  place(@Param() place: PlaceDto): object {
    return place;
  }
}

class TidyDto {
  @IsString()
  name: string;

  /** A rule that applies when its group is requested, and everywhere else. */
  @MaxLength(5, { groups: ['short'] })
  note: string;
}

@Controller({ path: 'piped', version: '1' })
class PipedController {
  @Post('class')
  @UsePipes(ValidationPipe)
  byClass(@Body() body: TidyDto): object {
    return body;
  }

  @Post('own')
  @UsePipes(new ValidationPipe({ groups: ['short'], transform: true }))
  own(@Body() body: TidyDto): object {
    return { is: body.constructor.name };
  }
}

@Module({ controllers: [CheckedController, PipedController] })
export class CheckedModule {}
