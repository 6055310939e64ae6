import { Body, Controller, Module, Post, UsePipes, ValidationPipe } from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';

class GroupsDto {
  @IsString({ groups: ['create'] })
  name: string;

  @IsInt({ groups: ['change'] })
  size: number;
}

class TidyDto {
  @IsString()
  name: string;
}

class LenientPipe extends ValidationPipe {}

@Controller({ path: 'piped', version: '1' })
class PipedController {
  @Post('groups')
  @UsePipes(new ValidationPipe({ groups: ['create'] }))
  groups(@Body() body: GroupsDto): object {
    return body;
  }

  @Post('local')
  local(@Body(new ValidationPipe({ whitelist: true, transform: true })) body: TidyDto): object {
    return body;
  }

  @Post('class')
  @UsePipes(ValidationPipe)
  byClass(@Body() body: TidyDto): object {
    return body;
  }

  /** Its own pipe alone validates. */
  @Post('foreign')
  @UsePipes(new LenientPipe({ whitelist: true }))
  foreign(@Body() body: TidyDto): object {
    return body;
  }
}

@Module({ controllers: [PipedController] })
export class PipedModule {}
