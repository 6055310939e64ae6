import { Controller, Get, Module, Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  ALL_ROWS,
  Database,
  defineErrors,
  defineList,
  grantsOnParent,
  Id,
  ListQuery,
  Page,
  PickOf,
  Resource,
  ResourceDefinition,
  ResourceEntity,
  ResourceRepository,
  rowsOf,
  Text,
} from '@plinth/core';
import { Entity, ForeignKey } from 'typeorm';

import { Company } from '../../../packages/core/test/examples/companies/companies.js';
import { Ticket } from '../../../packages/core/test/examples/companies/ticket.entity.js';
import { TICKETS } from '../../../packages/core/test/examples/companies/ticket.resource.js';
import { startCompanies } from '../../support/companies.js';

const { NOTE_NOT_FOUND } = defineErrors({ NOTE_NOT_FOUND: [404, 'There is no such note.'] });

type Rows = ResourceDefinition<{ id: number; ticketId: number }>['rows'];

/** Declares the resource of notes anew, because a process has one declaration for each entity. */
function declareNotes(rows: Rows) {
  @Entity('notes')
  class Note extends ResourceEntity {
    @Id({ example: 1 })
    ticketId: number;
  }
  class NoteDto extends PickOf(Note, ['id', 'ticketId']) {}
  const definition: ResourceDefinition<Note> = {
    path: 'notes',
    entity: Note,
    notFound: NOTE_NOT_FOUND,
    rows,
  };
  return { Note, NoteDto, definition, list: defineList(Note, { name: 'notes' }) };
}

/** Returns a module with a list of notes, in a controller with `@Resource()` or, without rows, in an ordinary one. */
function listModule(isResource: boolean, rows?: Rows): Type {
  const notes = declareNotes(rows);
  return moduleOf(notes.Note, [notesController(notes, isResource)]);
}

/** Returns a module with a controller of notes for each version, which have different rows. */
function versionsModule(...rows: readonly Rows[]): Type {
  const notes = declareNotes(undefined);
  const controllers = rows.map((one, i) =>
    notesController({ ...notes, definition: { ...notes.definition, rows: one } }, true, `${i + 1}`),
  );
  return moduleOf(notes.Note, controllers);
}

function moduleOf(entity: Type, controllers: Type[]): Type {
  class NotesModule {
    readonly name = 'notes';
  }
  Module({ imports: [TypeOrmModule.forFeature([entity])], controllers })(NotesModule);
  return NotesModule;
}

function notesController(
  { NoteDto, definition, list }: ReturnType<typeof declareNotes>,
  isResource: boolean,
  version = '1',
): Type {
  class NotesController {
    list(query: ListQuery): Promise<Page<object>> {
      return Promise.reject(new Error(`not reached: ${query.limit}`));
    }
  }
  const { prototype } = NotesController;
  Get()(prototype, 'list', Object.getOwnPropertyDescriptor(prototype, 'list')!);
  ListQuery(list)(prototype, 'list', 0);
  if (isResource) Resource({ ...definition, version, responseDto: NoteDto })(NotesController);
  else Controller({ path: 'notes', version: '1' })(NotesController);
  return NotesController;
}

/** Returns a module whose entity refers to companies by their names. */
function namesModule(): Type {
  @Entity('badges')
  class Badge extends ResourceEntity {
    @Text({ max: 200 })
    @ForeignKey(() => Company, 'name')
    companyName: string;
  }
  return moduleOf(Badge, []);
}

/** Returns a module whose rows belong to tickets, and which declares grants on other resources alone. */
function grantsModule(): Type {
  @Entity('stamps')
  class Stamp extends ResourceEntity {
    @Id({ example: 1 })
    @ForeignKey(() => Ticket)
    ticketId: number;
  }
  class StampDto extends PickOf(Stamp, ['id', 'ticketId']) {}
  const definition: ResourceDefinition<Stamp> = {
    ...{ path: 'stamps', entity: Stamp, notFound: NOTE_NOT_FOUND },
    grants: [grantsOnParent('user', 'ticketId')],
    rows: rowsOf(TICKETS, 'ticketId'),
  };
  const stamps = { Note: Stamp, NoteDto: StampDto, definition, list: defineList(Stamp, { name: 'stamps' }) };
  return moduleOf(Stamp, [notesController(stamps, true)]);
}

function repositoryModule(): Type {
  const { Note, definition } = declareNotes(undefined);
  class NotesRepository extends ResourceRepository<InstanceType<typeof Note>> {}
  class NotesModule {
    readonly name = 'notes';
  }
  const useFactory = (database: Database) => new NotesRepository(database, definition);
  Module({
    imports: [TypeOrmModule.forFeature([Note])],
    providers: [{ provide: NotesRepository, inject: [Database], useFactory }],
  })(NotesModule);
  return NotesModule;
}

describe('an application with attributes does not start', () => {
  const REFUSED: Record<string, readonly [() => Type, message: string]> = {
    'with a resource without rows': [
      () => listModule(true),
      'notes: must declare `rows`, because defineAccess() declares attributes',
    ],
    'with a repository of a resource without rows': [
      repositoryModule,
      'notes: must declare `rows`, because defineAccess() declares attributes',
    ],
    'with a list outside of a resource': [
      () => listModule(false),
      'NotesController.list: must be in a controller with @Resource()',
    ],
    'with rows by a property that is no column': [
      () => listModule(true, (() => ({ companyId: 1 })) as never),
      '`rows` must name columns of Note (got companyId)',
    ],
    'with rows of a parent without a foreign key': [
      () => listModule(true, rowsOf(TICKETS, 'ticketId')),
      'rowsOf() must name a property with a foreign key to the ids of tickets (got ticketId)',
    ],
    'with rows in one version, and none in another': [
      () => versionsModule(undefined, () => ALL_ROWS),
      'notes: must declare `rows`, because defineAccess() declares attributes',
    ],
    'with a foreign key to another column than the id': [
      namesModule,
      'Badge: the foreign key of companyName must refer to the ids of companies, because `rows` limit them',
    ],
    'with grants without those of its parent': [
      grantsModule,
      'stamps: `grants` must include the type ticket, as those of the parent do',
    ],
    'with rows that are undefined': [
      () => listModule(true, (() => undefined) as never),
      'notes: `rows` must return ALL_ROWS, or a value or null for at least one property (got undefined)',
    ],
  };

  it.each(Object.entries(REFUSED))('%s', async (_, [createModule, message]) => {
    await expect(startCompanies([], {}, [createModule()])).rejects.toThrow(message);
  });
});
