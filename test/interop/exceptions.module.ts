import {
  BadRequestException,
  CallHandler,
  CanActivate,
  ConflictException,
  Controller,
  ExecutionContext,
  ForbiddenException,
  Get,
  GoneException,
  HttpException,
  ImATeapotException,
  Injectable,
  InternalServerErrorException,
  Module,
  NestInterceptor,
  NotFoundException,
  Param,
  PipeTransform,
  ServiceUnavailableException,
  UnauthorizedException,
  UnprocessableEntityException,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiConflictResponse, ApiNotFoundResponse } from '@nestjs/swagger';
import { Observable, tap } from 'rxjs';

@Injectable()
class NobodyGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class OfficeHoursGuard implements CanActivate {
  canActivate(): boolean {
    throw new HttpException('The office is closed.', 423);
  }
}

@Injectable()
class SeatPipe implements PipeTransform {
  transform(value: string): string {
    if (value === 'gone') throw new GoneException('The seat was removed.');
    if (value === 'bad') throw new BadRequestException('A seat is a letter and a number.');
    return value;
  }
}

@Injectable()
class LateInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      tap(() => {
        throw new ConflictException('Somebody was faster.');
      }),
    );
  }
}

/** The exceptions that the routes of one controller throw, by the names in their paths. */
export const THROWN: Readonly<Record<string, () => unknown>> = {
  forbidden: () => new ForbiddenException('Only on Sundays.'),
  unauthorized: () => new UnauthorizedException('Say the password.'),
  gone: () => new GoneException(),
  teapot: () => new ImATeapotException('Short and stout.'),
  unprocessable: () => new UnprocessableEntityException(['too long', 'too wide']),
  missing: () => new NotFoundException('There is no such seat.'),
  unavailable: () => new ServiceUnavailableException('The cinema is dark.'),
  bug: () => new Error('select password from users'),
  crash: () => new InternalServerErrorException('select password from users'),
  success: () => new HttpException('fine', 200),
  text: () => 'a text',
};

@Controller({ path: 'seats', version: '1' })
class SeatsController {
  @Get('thrown/:name')
  @ApiNotFoundResponse({ description: 'There is no such seat.' })
  thrown(@Param('name') name: string): never {
    throw THROWN[name]?.();
  }

  @Get('guarded')
  @UseGuards(NobodyGuard)
  guarded(): string {
    return 'never';
  }

  @Get('closed')
  @UseGuards(OfficeHoursGuard)
  closed(): string {
    return 'never';
  }

  @Get('late')
  @ApiConflictResponse()
  @UseInterceptors(LateInterceptor)
  late(): object {
    return {};
  }

  @Get('named/:seat')
  named(@Param('seat', SeatPipe) seat: string): object {
    return { seat };
  }
}

@Module({ controllers: [SeatsController] })
export class SeatsModule {}
