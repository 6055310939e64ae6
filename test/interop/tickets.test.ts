import { Get } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Nested, PickOf, Resource } from '@plinth/core';
import { Client } from '@plinth/dev/testing';
import { DataSource } from 'typeorm';

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

  it('is refused if its DTO contains itself', () => {
    class NodeDto extends PickOf(Ticket, ['id']) {}
    Nested(NodeDto)(NodeDto.prototype, 'parent');
    expect(shownAs(NodeDto)).toThrow('NodeDto contains itself');
  });
});
