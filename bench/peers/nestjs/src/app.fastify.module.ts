import { ClassSerializerInterceptor, Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { AppModule } from './app.module.js';

/** The application with what a team adds before it goes to production: rate limits and a serializer. */
@Module({
  imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 100_000_000 }]), AppModule],
  providers: [
    { provide: APP_GUARD, useClass: ThrottlerGuard },
    { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor },
  ],
})
export class AppFastifyModule {}
