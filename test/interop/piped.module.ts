import { Body, Controller, Module, Post, UsePipes, ValidationPipe } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';

class TidyDto {
  @IsString()
  name: string;

  /** Judged where its group is asked for, and everywhere else. */
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

@Module({ controllers: [PipedController] })
export class PipedModule {}
