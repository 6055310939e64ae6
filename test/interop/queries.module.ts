import {
  Controller,
  DefaultValuePipe,
  Get,
  Module,
  Param,
  ParseIntPipe,
  Query,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { Public } from '@plinth/core';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString, Min } from 'class-validator';

class PageDto {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  page?: number;

  @IsOptional()
  @Expose({ name: 'sort_by' })
  @IsString()
  sortBy?: string;
}

class OpenDto {
  @IsOptional()
  @Transform(({ value }) => value === 'true')
  @IsBoolean()
  open?: boolean;

  @IsOptional()
  @Transform(({ value }: { value: string }) => value.split(','))
  @IsArray()
  @IsString({ each: true })
  tags?: string[];
}

class HiddenDto {
  @IsOptional()
  @IsString()
  name?: string;

  @Exclude()
  @IsOptional()
  @IsString()
  role?: string;
}

class PlaceDto {
  @Type(() => Number)
  @IsInt()
  row: number;
}

@Controller({ path: 'asked', version: '1' })
class AskedController {
  @Get('dto')
  dto(@Query() page: PageDto): object {
    return { ...page };
  }

  @Get('beside')
  beside(@Query() page: PageDto, @Query('z') z?: string): object {
    return { ...page, z };
  }

  @Get('named-first')
  namedFirst(@Query('z', new DefaultValuePipe(7), ParseIntPipe) z: number, @Query() page: PageDto): object {
    return { ...page, z };
  }

  @Get('two')
  two(@Query() page: PageDto, @Query() open: OpenDto): object {
    return { ...page, ...open };
  }

  @Get('lists')
  lists(@Query() page: PageDto, @Query('ids') ids: string[]): object {
    return { ...page, ids: [ids].flat() };
  }

  @Get('all')
  all(@Query() page: PageDto, @Query() all: Record<string, string>): object {
    return { page, all };
  }

  @Get('open')
  open(@Query() open: OpenDto): object {
    return { ...open };
  }

  @Get('hidden')
  hidden(@Query() query: HiddenDto): object {
    return { ...query };
  }

  @Get(':shop/places/:row')
  place(@Param('shop') shop: string, @Param() place: PlaceDto): object {
    return { shop, ...place };
  }
}

@Controller({ path: 'outside', version: VERSION_NEUTRAL })
export class OutsideController {
  @Get()
  @Public()
  get(@Query() page: PageDto, @Query('z') z?: string): object {
    return { ...page, z };
  }
}

@Module({ controllers: [AskedController, OutsideController] })
export class AskedModule {}
