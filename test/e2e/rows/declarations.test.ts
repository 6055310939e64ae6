import { Controller, Get, Module, Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  Database,
  defineErrors,
  defineList,
  Id,
  ListQuery,
  Page,
  PickOf,
  Resource,
  ResourceDefinition,
  ResourceEntity,
  ResourceRepository,
  rowsOf,
} from '@plinth/core';
import { Entity } from 'typeorm';

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
  const { Note, NoteDto, definition, list } = declareNotes(rows);
  class NotesController {
    list(query: ListQuery): Promise<Page<object>> {
      return Promise.reject(new Error(`not reached: ${query.limit}`));
    }
  }
  const { prototype } = NotesController;
  Get()(prototype, 'list', Object.getOwnPropertyDescriptor(prototype, 'list')!);
  ListQuery(list)(prototype, 'list', 0);
  if (isResource) Resource({ ...definition, version: '1', responseDto: NoteDto })(NotesController);
  else Controller({ path: 'notes', version: '1' })(NotesController);
  class NotesModule {
    readonly name = 'notes';
  }
  Module({ imports: [TypeOrmModule.forFeature([Note])], controllers: [NotesController] })(NotesModule);
  return NotesModule;
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
    'with rows that are undefined': [
      () => listModule(true, (() => undefined) as never),
      'notes: `rows` must return ALL_ROWS, or a value or null for at least one property (got undefined)',
    ],
  };

  it.each(Object.entries(REFUSED))('%s', async (_, [createModule, message]) => {
    await expect(startCompanies([], {}, [createModule()])).rejects.toThrow(message);
  });
});
