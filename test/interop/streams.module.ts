import { Readable } from 'node:stream';

import {
  Controller,
  Get,
  Header,
  HttpCode,
  MessageEvent,
  Module,
  Param,
  Post,
  Redirect,
  Res,
  Sse,
  StreamableFile,
} from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { firstValueFrom, map, Observable, Subject, take, timer } from 'rxjs';

import { Cached, PUBLIC_CACHE } from '../../packages/core/src/http/caching/cache-policy.js';
import { ProducedType, Produces } from '../../packages/core/src/http/negotiation/produces.decorator.js';

/** Makes the stream of `broken-later` fail. */
export const failure = new Subject<null>();

/** Events for all listeners. */
export const news = new Subject<string>();

/** The media types of some files, by name. */
const MEDIA_TYPES = new Map([
  ['a.pdf', 'application/pdf'],
  ['b.jpg', 'image/jpeg'],
  ['c.txt', 'text/plain'],
  ['d.txt', 'text/plain; charset=iso-8859-1'],
  ['e.png', 'image/png'],
]);

@Controller({ path: 'exports', version: '1' })
class ExportsController {
  @Get('lamps.csv')
  @Produces('text/csv')
  csv(): string {
    return 'name,price\nlamp,49.90\n';
  }

  /** Sends row by row, as fast as the client reads. */
  @Get('rows')
  @Produces('text/csv')
  async *rows(): AsyncGenerator<string> {
    yield 'n\n';
    for (let n = 1; n <= 3; n++) yield await Promise.resolve(`${n}\n`);
  }

  @Get('either')
  @Produces('application/json', 'text/csv')
  either(@ProducedType() type: string): object | string {
    const rows = [{ n: 1 }, { n: 2 }];
    return type === 'text/csv' ? 'n\n1\n2\n' : rows;
  }

  @Get('file')
  @Produces('application/pdf')
  file(): StreamableFile {
    const content = Readable.from([Buffer.from('%PDF'), Buffer.from('-1.7')]);
    return new StreamableFile(content, { disposition: 'attachment; filename="a.pdf"', length: 8 });
  }

  @Get('scans/:name')
  @Produces('application/pdf', 'image/jpeg', 'text/plain')
  scan(@Param('name') name: string): StreamableFile {
    return new StreamableFile(Buffer.from(name), { type: MEDIA_TYPES.get(name) });
  }

  @Get('lines')
  @Produces('text/csv', 'text/plain')
  async *lines(): AsyncGenerator<string> {
    yield await Promise.resolve('n\n');
  }

  @Get('undeclared')
  undeclared(): StreamableFile {
    return new StreamableFile(Buffer.from('n\n1\n'), { type: 'text/csv; charset=utf-8' });
  }

  @Get('broken')
  @Produces('application/pdf')
  broken(): StreamableFile {
    const content = new Readable({
      read() {
        this.destroy(new Error('the file /srv/secret is gone'));
      },
    });
    return new StreamableFile(content, { length: 8 });
  }

  @Get('broken-later')
  @Produces('text/csv')
  async *brokenLater(): AsyncGenerator<string> {
    yield 'n\n';
    await firstValueFrom(failure);
    throw new Error('the file /srv/secret is gone');
  }

  @Get('geo')
  @Produces('application/geo+json')
  geo(): object {
    return { type: 'Point', coordinates: [10.7, 59.9] };
  }

  @Get('text')
  @Produces('text/plain')
  text(): string {
    return 'plain';
  }

  @Get('number')
  @ApiOkResponse({ schema: { type: 'integer' } })
  number(): number {
    return 7;
  }

  @Get('nothing')
  @HttpCode(204)
  nothing(): void {
    // Declares nothing.
  }

  @Post('accepted')
  @HttpCode(202)
  @Header('X-RateLimit-Reset', '5')
  accepted(): object {
    return { queued: true };
  }

  @Get('kept')
  @Cached(PUBLIC_CACHE)
  kept(): object {
    return {};
  }

  @Get('own')
  @Header('Cache-Control', 'private, max-age=60')
  own(): object {
    return {};
  }

  @Get('elsewhere')
  @Redirect('/api/v1/exports/text', 307)
  elsewhere(): void {
    // The decorator determines the target.
  }

  @Get('by-hand')
  byHand(@Res() reply: FastifyReply): void {
    void reply.send({ sent: 'by hand' });
  }

  @Get('passed')
  passed(@Res({ passthrough: true }) reply: FastifyReply): object {
    void reply.code(203);
    return { passed: true };
  }

  @Sse('ticks')
  ticks(): Observable<MessageEvent> {
    return timer(0, 5).pipe(
      take(3),
      map((tick) => ({ data: { tick } })),
    );
  }

  @Sse('news')
  news(): Observable<MessageEvent> {
    return news.pipe(map((data) => ({ data, type: 'news' })));
  }

  @Sse('no-news')
  noNews(): Observable<MessageEvent> {
    throw new Error('select password from users');
  }
}

@Module({ controllers: [ExportsController] })
export class StreamsModule {}
