import { Body, Delete, Get, Injectable, Module, Param, Post } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  BodyOf,
  Caller,
  CurrentUser,
  Database,
  ListQuery,
  Page,
  ParseIdPipe,
  PickOf,
  Preconditions,
  Resource,
  ResourceRepository,
  ResourceService,
  Transaction,
} from '@plinth/core';

import { Reaction } from './ticket.entity.js';
import { reactionList, REACTIONS } from './ticket.resource.js';

export class ReactionDto extends PickOf(Reaction, ['id', 'commentId', 'kind', 'createdAt']) {}
export class ReactionBodyDto extends BodyOf(ReactionDto, ['commentId', 'kind']) {}

@Injectable()
export class ReactionsRepository extends ResourceRepository<Reaction> {
  constructor(database: Database) {
    super(database, REACTIONS);
  }
}

@Injectable()
export class ReactionsService extends ResourceService<Reaction> {
  constructor(reactions: ReactionsRepository) {
    super(reactions);
  }
}

@Resource({ ...REACTIONS, version: '1', responseDto: ReactionDto })
export class ReactionsController {
  constructor(private readonly reactions: ReactionsService) {}

  @Get()
  list(@ListQuery(reactionList) query: ListQuery): Promise<Page<Reaction>> {
    return this.reactions.list(query);
  }

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Reaction> {
    return this.reactions.get(id, caller);
  }

  @Post()
  create(
    @Body() body: ReactionBodyDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Reaction> {
    return this.reactions.create(body, tx, caller);
  }

  @Delete(':id')
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.reactions.remove(id, caller, preconditions);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Reaction])],
  controllers: [ReactionsController],
  providers: [ReactionsRepository, ReactionsService],
})
export class ReactionsModule {}
