import { Body, Get, Injectable, Module, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  BodyOf,
  Caller,
  CurrentUser,
  Database,
  defineErrors,
  defineList,
  ListQuery,
  Page,
  ParseIdPipe,
  PickOf,
  RequirePermission,
  Resource,
  ResourceDefinition,
  ResourceEntity,
  ResourceRepository,
  ResourceService,
  Text,
  Transaction,
} from '@plinth/core';
import { IsArray, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { Column, Entity } from 'typeorm';

/** An entity with columns without field decorators: an array and JSON. */
@Entity('tickets')
export class Ticket extends ResourceEntity {
  @Text({ max: 50, example: 'Broken lamp' })
  title: string;

  @Column('text', { array: true })
  tags: string[];

  @Column('jsonb', { nullable: true })
  meta: object | null;

  @Column('text', { select: false, default: '' })
  note: string;
}

const { TICKET_NOT_FOUND } = defineErrors({ TICKET_NOT_FOUND: [404, 'There is no such ticket.'] });

export const TICKETS: ResourceDefinition<Ticket> = {
  path: 'tickets',
  entity: Ticket,
  notFound: TICKET_NOT_FOUND,
};

const ticketList = defineList(Ticket, { name: 'tickets' });

export class TicketDto extends PickOf(Ticket, ['id', 'title', 'createdAt']) {
  @ApiProperty({ type: [String] })
  tags: string[];

  @ApiProperty({ type: Object, nullable: true })
  meta: object | null;
}

class TicketBodyDto extends BodyOf(TicketDto, ['title']) {
  @ApiProperty({ type: [String] })
  @IsArray()
  @IsString({ each: true })
  tags: string[];

  @ApiProperty({ type: Object, required: false })
  @IsOptional()
  @IsObject()
  meta?: object;
}

class DepthDto {
  @IsOptional()
  @IsInt()
  depth?: number;
}

@Injectable()
class TicketsRepository extends ResourceRepository<Ticket> {
  constructor(database: Database) {
    super(database, TICKETS);
  }
}

@Injectable()
class TicketsService extends ResourceService<Ticket> {
  constructor(tickets: TicketsRepository) {
    super(tickets);
  }
}

@Resource({ ...TICKETS, version: '2', responseDto: TicketDto })
class TicketsController {
  constructor(private readonly tickets: TicketsService) {}

  @Get()
  @RequirePermission('read')
  list(
    @ListQuery(ticketList) query: ListQuery,
    @Query('z') _z: string,
    @Query('ids') _ids: string[],
    @Query() _depth: DepthDto,
  ): Promise<Page<Ticket>> {
    return this.tickets.list(query);
  }

  @Get(':id')
  @RequirePermission('read')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Ticket> {
    return this.tickets.get(id, caller);
  }

  @Post()
  @RequirePermission('create')
  create(@Body() body: TicketBodyDto, @Transaction() tx: Transaction): Promise<Ticket> {
    return this.tickets.create(body, tx);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Ticket])],
  controllers: [TicketsController],
  providers: [TicketsService, TicketsRepository],
})
export class TicketsModule {}
