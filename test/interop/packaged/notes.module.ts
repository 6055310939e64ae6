import { Body, DynamicModule, Get, Inject, Injectable, Module, Param, Post } from '@nestjs/common';
import { EventEmitter2, OnEvent } from '@nestjs/event-emitter';
import { Cron } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Database } from '../../../packages/core/src/database/database.js';
import { MigrationsModule } from '../../../packages/core/src/database/migrations.module.js';
import { BodyOf, PickOf } from '../../../packages/core/src/fields/derive.js';
import { genericError } from '../../../packages/core/src/http/errors/http.errors.js';
import { Caller, CurrentUser } from '../../../packages/core/src/access/caller.js';
import { RequirePermission } from '../../../packages/core/src/access/require-permission.decorator.js';
import { ParseIdPipe } from '../../../packages/core/src/fields/parse-id.pipe.js';
import { ResourceRepository } from '../../../packages/core/src/resources/resource-repository.js';
import { Resource } from '../../../packages/core/src/resources/resource.decorator.js';
import { ResourceDefinition } from '../../../packages/core/src/resources/resource.js';
import { ResourceService } from '../../../packages/core/src/resources/resource.service.js';
import { Transaction } from '../../../packages/core/src/resources/write.decorators.js';
import { CreateNotes1795300000001 } from './1795300000001-create-notes.js';
import { Note } from './note.entity.js';

const OPTIONS = Symbol('notes');

export interface NotesOptions {
  readonly greeting: string;
}

/** Records the notifications of listeners and the runs of jobs. */
export const heard: string[] = [];

class NoteDto extends PickOf(Note, ['id', 'text', 'price', 'createdAt', 'updatedAt']) {}
class NoteBodyDto extends BodyOf(NoteDto, ['text', 'price']) {}

const NOTES: ResourceDefinition<Note> = { path: 'notes', entity: Note, notFound: genericError(404) };

@Injectable()
class NotesRepository extends ResourceRepository<Note> {
  constructor(database: Database) {
    super(database, NOTES);
  }
}

@Injectable()
export class NotesService extends ResourceService<Note> {
  constructor(
    private readonly events: EventEmitter2,
    notes: NotesRepository,
  ) {
    super(notes);
  }

  override async create(values: Partial<Note>, tx: Transaction): Promise<Note> {
    return tx.transaction(async (transaction) => {
      const note = await super.create(values, transaction);
      // Notified once, after the commit, but neither for a rollback nor for a repeated attempt.
      transaction.afterCommit(async () => {
        await this.events.emitAsync('note.created', note.text);
      });
      return note;
    });
  }
}

@Injectable()
export class NoteListener {
  constructor(@Inject(OPTIONS) private readonly options: NotesOptions) {}

  @OnEvent('note.created')
  created(text: string): void {
    heard.push(`${this.options.greeting}, ${text}`);
  }
}

@Injectable()
export class NoteJobs {
  constructor(private readonly database: Database) {}

  /** Every instance schedules the job, but only the one with the lock runs it. */
  @Cron('* * * * * *')
  async count(): Promise<void> {
    await this.database.transaction(async (tx) => {
      const lock = { text: `select pg_try_advisory_xact_lock(hashtext('count notes')) as held`, values: [] };
      const [row] = await tx.query<{ held: boolean }>(lock);
      if (!row?.held) return;
      const [counted] = await tx.query<{ n: number }>({
        text: 'select count(*)::int as n from notes',
        values: [],
      });
      heard.push(`counted ${String(counted?.n)}`);
    });
  }
}

@Resource({ ...NOTES, version: '1', responseDto: NoteDto })
class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Get(':id')
  @RequirePermission('read')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Note> {
    return this.notes.get(id, caller);
  }

  @Post()
  @RequirePermission('create')
  create(@Body() body: NoteBodyDto, @Transaction() tx: Transaction): Promise<Note> {
    return this.notes.create(body, tx);
  }
}

/** A module as a package provides it, with an entity and migrations of its own. */
@Module({})
export class NotesModule {
  static forRoot(options: NotesOptions): DynamicModule {
    return {
      module: NotesModule,
      imports: [TypeOrmModule.forFeature([Note]), MigrationsModule.forFeature(CreateNotes1795300000001)],
      controllers: [NotesController],
      providers: [
        NotesRepository,
        NotesService,
        NoteListener,
        NoteJobs,
        { provide: OPTIONS, useValue: options },
      ],
    };
  }
}
