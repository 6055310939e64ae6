import { Body, Controller, Module, Post } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';

import { startInProcess } from '../support/own-app.js';

describe('a declaration that would be ignored is refused at start', () => {
  class Inner {
    @IsString()
    text: string;
  }

  class UntypedDto {
    @ValidateNested({ each: true })
    items: Inner[];
  }

  it('the class of a property whose rules nobody checks', async () => {
    class UncheckedDto {
      @IsString()
      name: string;

      @IsOptional()
      @Type(() => Inner)
      inner?: Inner;
    }
    @Controller('unchecked')
    class UncheckedController {
      @Post()
      create(@Body() body: UncheckedDto): unknown {
        return body;
      }
    }
    @Module({ controllers: [UncheckedController] })
    class UncheckedModule {}
    await expect(startInProcess({}, undefined, [UncheckedModule])).rejects.toThrow(
      'UncheckedDto.inner: the rules of Inner are not checked; add @ValidateNested()',
    );
  });

  it('@ValidateNested() without a class', async () => {
    @Controller('untyped')
    class UntypedController {
      @Post()
      create(@Body() body: UntypedDto): unknown {
        return body;
      }
    }
    @Module({ controllers: [UntypedController] })
    class UntypedModule {}
    await expect(startInProcess({}, undefined, [UntypedModule])).rejects.toThrow(
      'UntypedDto.items: @ValidateNested() needs @Type(() => Class)',
    );
  });
});
