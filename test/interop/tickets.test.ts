import { Controller, Get, Module } from '@nestjs/common';
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { ListOf, Nested, PickOf, Public, Resource, Text } from '@plinth/core';
import { ApiObjectResponse } from '@plinth/core/auth';
import { Client } from '@plinth/dev/testing';
import { Exclude, Expose } from 'class-transformer';
import { IsArray, IsString } from 'class-validator';
import { Column, DataSource } from 'typeorm';

import { makeTables } from '../support/make-tables.js';
import { useInProcess } from '../support/own-app.js';
import { Ticket, TicketDto, TICKETS, TicketsModule } from './tickets.module.js';

describe('columns without a field decorator, which the DTO declares with @ApiProperty()', () => {
  const app = useInProcess({}, undefined, [TicketsModule]);
  let admin: Client;
  beforeAll(async () => {
    await makeTables(app.app.nest.get(DataSource));
    admin = await app.as('admin');
  });

  const TICKET = { title: 'Broken lamp', tags: ['a', 'b'], meta: { deep: [1, { x: null }] } };

  it('are in the responses of writes, reads, pages and exports', async () => {
    const created = await admin.post('/api/v2/tickets', TICKET);
    expect([created.status, created.body]).toEqual([201, expect.objectContaining(TICKET)]);
    const { id } = created.body as { id: number };
    expect((await admin.get(`/api/v2/tickets/${id}`)).body).toEqual(created.body);
    expect((await admin.get('/api/v2/tickets')).body).toMatchObject({ data: [TICKET] });
    expect((await admin.get('/api/v2/tickets', { accept: 'text/csv' })).text).toContain('Broken lamp');
  });

  it('may be null', async () => {
    const { title, tags } = TICKET;
    const created = await admin.post('/api/v2/tickets', { title, tags });
    expect([created.status, created.body]).toEqual([201, expect.objectContaining({ meta: null })]);
  });

  it('belong to a list that also accepts the parameters of @Query()', async () => {
    const statusOf = async (query: string) => (await admin.get(`/api/v2/tickets?${query}`)).status;
    expect(await statusOf('z=1&limit=2&depth=3')).toBe(200);
    expect(await statusOf('ids=1&ids=2&sort=createdAt:asc')).toBe(200);
    expect(await statusOf('y=1')).toBe(400);
    expect(await statusOf('z=1&z=2')).toBe(400);
    expect(await statusOf('depth=x')).toBe(400);
  });
});

class PlainDto {
  @ApiProperty()
  title: string;

  @IsArray()
  tags: string[];
}

@Controller({ path: 'plain', version: '1' })
class PlainController {
  @Get()
  @Public()
  @ApiOkResponse({ type: PlainDto })
  get(): PlainDto {
    return { title: 'Lamp', tags: ['a'] };
  }
}

@Module({ controllers: [PlainController] })
class PlainModule {}

describe('a response that NestJS serializes itself', () => {
  const app = useInProcess({}, undefined, [PlainModule]);

  it('contains what the handler returns, whatever the DTO of its documentation declares', async () => {
    const answer = await fetch(`${app.baseUrl}/api/v1/plain`);
    expect(await answer.json()).toEqual({ title: 'Lamp', tags: ['a'] });
  });
});

describe('a property that no response could show', () => {
  const shownAs = (dto: new () => object) => () => {
    @Resource({ ...TICKETS, version: '2', responseDto: dto })
    class OddController {
      @Get(':id')
      get(): object {
        return {};
      }
    }
    return OddController;
  };

  it('is refused if it is a field of an entity with @Column() only', () => {
    expect(() => PickOf(Ticket, ['id', 'tags'])).toThrow(
      /^Ticket has no field tags; its fields are .*title.* declare it in the DTO, with @ApiProperty\(\)/,
    );
  });

  it('is refused if the DTO declares it but the row does not have it or no statement reads it', () => {
    class TotalDto extends PickOf(Ticket, ['id']) {
      @ApiProperty()
      total: number;
    }
    class NoteDto extends PickOf(Ticket, ['id']) {
      @ApiProperty()
      note: string;
    }
    expect(shownAs(TotalDto)).toThrow(
      'TotalDto.total is described by @ApiProperty(), but Ticket has no such',
    );
    expect(shownAs(NoteDto)).toThrow('NoteDto.note is described by @ApiProperty(), but Ticket has no such');
    expect(shownAs(TicketDto)).not.toThrow();
  });

  const sentAs = (dto: new () => object) => () => ApiObjectResponse(dto, 'Read', 'The object.');
  // oxlint-disable-next-line typescript/no-extraneous-class -- its properties are missing on purpose
  class EmptyDto {}
  class InnerDto {
    @Text({ max: 5 })
    shown: string;

    @IsArray()
    lost: string[];
  }

  it.each<[string, (dto: new () => object) => void]>([
    ['a rule of class-validator', (dto) => IsArray()(dto.prototype as object, 'lost')],
    ['@Expose()', (dto) => Expose()(dto.prototype as object, 'lost')],
    ['@Column()', (dto) => Column('text', { array: true })(dto.prototype as object, 'lost')],
    ['a class that has it', (dto) => Nested(InnerDto)(dto.prototype as object, 'inner')],
    [
      'an array of such a class',
      (dto) => ListOf(InnerDto, { min: 0, max: 1 })(dto.prototype as object, 'inner'),
    ],
  ])('is refused if only %s declares it, in a resource and in an ordinary controller', (_, declare) => {
    class LostDto extends PickOf(Ticket, ['id']) {}
    declare(LostDto);
    const message =
      /^(LostDto|InnerDto)\.lost is declared, but no response would contain it: give it @ApiProperty\(\)/;
    expect(shownAs(LostDto)).toThrow(message);
    expect(sentAs(LostDto)).toThrow(message);
  });

  it('is refused if the DTO is the entity, if it has an initial value, or if its class has no properties', () => {
    class LabelledDto extends PickOf(Ticket, ['id']) {
      labels = [];
    }
    class WrappedDto extends PickOf(Ticket, ['id']) {
      @Nested(EmptyDto)
      inner: EmptyDto;
    }
    expect(shownAs(Ticket)).toThrow('Ticket.tags is declared, but no response would contain it');
    expect(sentAs(class Copy extends Ticket {})).toThrow('Copy.tags is declared, but');
    expect(shownAs(LabelledDto)).toThrow('LabelledDto.labels is declared, but');
    expect(sentAs(WrappedDto)).toThrow('EmptyDto describes a response, but has no properties');
  });

  it('is accepted if it is hidden on purpose, or belongs to the constructor', () => {
    class GetterDto extends PickOf(Ticket, ['id']) {
      constructor(private readonly ticket: Ticket) {
        super();
      }

      @ApiProperty()
      get title(): string {
        return this.ticket.title;
      }
    }
    class FailingDto extends PickOf(Ticket, ['id']) {
      constructor() {
        super();
        throw new Error('not now');
      }
    }
    expect(shownAs(GetterDto as unknown as new () => object)).not.toThrow();
    expect(sentAs(FailingDto)).not.toThrow();
    class HiddenDto extends PickOf(Ticket, ['id']) {
      @IsString()
      @Exclude()
      password: string;
    }
    expect(shownAs(HiddenDto)).not.toThrow();
    expect(sentAs(HiddenDto)).not.toThrow();
  });

  it('is refused if its DTO contains itself', () => {
    class NodeDto extends PickOf(Ticket, ['id']) {}
    Nested(NodeDto)(NodeDto.prototype, 'parent');
    expect(shownAs(NodeDto)).toThrow('NodeDto contains itself');
  });
});
