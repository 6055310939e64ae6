import { Body, Delete, Get, Injectable, Module, Param, Patch, Post, Put } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Check, Entity, ForeignKey } from 'typeorm';

import {
  ApiError,
  ApiErrorResponse,
  AssertCaller,
  BeforeReplay,
  BodyOf,
  Caller,
  CurrentUser,
  Database,
  defineError,
  defineList,
  grantsVia,
  Id,
  ListQuery,
  Page,
  ParseUuidPipe,
  PatchOf,
  PERMISSION_DENIED,
  PickOf,
  Preconditions,
  RequirePermission,
  Resource,
  ResourceDefinition,
  ResourceRepository,
  ResourceService,
  Text,
  Transaction,
  Uuid,
  UuidResourceEntity,
} from '../../../../src/core/index.js';
import { Parcel } from '../parcels/parcel.entity.js';
import { PARCELS } from '../parcels/parcels.module.js';

/** A note on a parcel: nested, with an owner, and UUIDs throughout. */
@Entity('notes')
@Check('notes_text_not_blank', `text <> ''`)
export class Note extends UuidResourceEntity {
  @Uuid({ readOnly: true })
  @ForeignKey(() => Parcel, { name: 'notes_parcel_id_fkey', onDelete: 'CASCADE' })
  parcelId: string;

  @Id({ readOnly: true })
  userId: number;

  @Text({ max: 100 })
  text: string;
}

/** Users who are called so lately write no notes. */
export const MUTED = 'Muted';

const assertNotMuted: AssertCaller = async (caller, tx, { text }: Partial<NoteBodyDto>) => {
  const statement = { text: 'select name from users where id = $1', values: [caller?.userId] };
  const [user] = await tx.query<{ name: string }>(statement);
  if (user?.name === MUTED) throw new ApiError(PERMISSION_DENIED, `${MUTED} may not write "${text ?? ''}".`);
};

class NoteDto extends PickOf(Note, ['id', 'parcelId', 'userId', 'text', 'createdAt', 'updatedAt']) {}
class NoteBodyDto extends BodyOf(NoteDto, ['text']) {}
class PatchNoteDto extends PatchOf(NoteBodyDto) {}

const noteList = defineList(Note, { name: 'notes' });

const NOTES: ResourceDefinition<Note> = {
  path: 'notes',
  entity: Note,
  notFound: defineError(404, 'NOTE_NOT_FOUND', 'There is no such note.'),
  constraints: { notes_parcel_id_fkey: PARCELS.notFound },
  grants: [grantsVia('user', 'userId')],
};

@Injectable()
class NotesService extends ResourceService<Note> {
  constructor(database: Database) {
    super(new ResourceRepository(database, NOTES));
  }

  listOfParcel(parcelId: string, query: ListQuery): Promise<Page<Note>> {
    return this.repository.listUnder(PARCELS, { id: parcelId }, query);
  }

  async add(note: Partial<Note>, { principal }: Caller, tx: Transaction): Promise<Note> {
    await assertNotMuted(principal, tx, note);
    return this.create(note, tx);
  }
}

/** Any user writes a note, and its author changes and deletes it. */
const AUTHORS = { orOwner: 'userId' } as const;

@Resource({ ...NOTES, path: 'parcels/:id/notes', version: '2', shows: NoteDto })
class ParcelNotesController {
  constructor(private readonly notes: NotesService) {}

  @Get()
  @RequirePermission('read')
  @ApiErrorResponse(PARCELS.notFound)
  list(
    @Param('id', ParseUuidPipe) parcelId: string,
    @ListQuery(noteList, { parcelId: 'id' }) query: ListQuery,
  ): Promise<Page<Note>> {
    return this.notes.listOfParcel(parcelId, query);
  }

  @Get(':noteId')
  @RequirePermission('read')
  get(
    @Param('id', ParseUuidPipe) parcelId: string,
    @Param('noteId', ParseUuidPipe) id: string,
    @CurrentUser() caller: Caller,
  ): Promise<Note> {
    return this.notes.get({ id, parcelId }, caller);
  }

  @Post()
  @RequirePermission('create', AUTHORS)
  @BeforeReplay(assertNotMuted)
  create(
    @Param('id', ParseUuidPipe) parcelId: string,
    @Body() body: NoteBodyDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Note> {
    return this.notes.add({ ...body, parcelId, userId: caller.userId }, caller, tx);
  }

  @Put(':noteId')
  @RequirePermission('update', AUTHORS)
  replace(
    @Param('id', ParseUuidPipe) parcelId: string,
    @Param('noteId', ParseUuidPipe) id: string,
    @Body() body: NoteBodyDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Note> {
    return this.notes.replace({ id, parcelId }, body, caller, preconditions);
  }

  @Patch(':noteId')
  @RequirePermission('update', AUTHORS)
  patch(
    @Param('id', ParseUuidPipe) parcelId: string,
    @Param('noteId', ParseUuidPipe) id: string,
    @Body() body: PatchNoteDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Note> {
    return this.notes.patch({ id, parcelId }, body, caller, preconditions);
  }

  @Delete(':noteId')
  @RequirePermission('delete', AUTHORS)
  remove(
    @Param('id', ParseUuidPipe) parcelId: string,
    @Param('noteId', ParseUuidPipe) id: string,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.notes.remove({ id, parcelId }, caller, preconditions);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Note])],
  controllers: [ParcelNotesController],
  providers: [NotesService],
})
export class NotesModule {}
