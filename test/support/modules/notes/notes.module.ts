import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Check, Entity, ForeignKey } from 'typeorm';

import { PERMISSION_DENIED } from '../../../../src/access/access.errors.js';
import { grantsVia } from '../../../../src/access/grant-links.js';
import { BodyOf, PatchOf, PickOf } from '../../../../src/fields/derive.js';
import { Id, Text, Uuid } from '../../../../src/fields/fields.js';
import { ApiError } from '../../../../src/http/errors/api-error.js';
import { defineError } from '../../../../src/http/errors/catalogue.js';
import { defineList } from '../../../../src/lists/list-definition.js';
import { UuidResourceEntity } from '../../../../src/resources/resource.entity.js';
import { AssertCaller, Resource, ResourceDefinition } from '../../../../src/resources/resource.js';
import { RoutesOf } from '../../../../src/resources/routes-of.js';
import { ServiceOf } from '../../../../src/resources/service-of.js';
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

const assertNotMuted: AssertCaller = async (caller, tx, { text }: NoteBodyDto) => {
  const statement = { text: 'select name from users where id = $1', values: [caller?.userId] };
  const [user] = await tx.query<{ name: string }>(statement);
  if (user?.name === MUTED) throw new ApiError(PERMISSION_DENIED, `${MUTED} may not write "${text}".`);
};

class NoteDto extends PickOf(Note, ['id', 'parcelId', 'userId', 'text', 'createdAt', 'updatedAt']) {}
class NoteBodyDto extends BodyOf(NoteDto, ['text']) {}
class PatchNoteDto extends PatchOf(NoteBodyDto) {}

const NOTES: ResourceDefinition<Note> = {
  path: 'notes',
  entity: Note,
  notFound: defineError(404, 'NOTE_NOT_FOUND', 'There is no such note.'),
  constraints: { notes_parcel_id_fkey: PARCELS.notFound },
  list: defineList(Note, { name: 'notes' }),
  grants: [grantsVia('user', 'userId')],
  access: {
    create: { orOwner: 'userId', assert: assertNotMuted },
    update: { orOwner: 'userId' },
    delete: { orOwner: 'userId' },
  },
};

@Injectable()
class NotesService extends ServiceOf(NOTES) {}

const BODIES = { create: NoteBodyDto, replace: NoteBodyDto, patch: PatchNoteDto };

@Resource({
  ...NOTES,
  path: 'parcels/:id/notes',
  parent: { of: PARCELS, property: 'parcelId', parameter: 'id' },
  version: '2',
  of: NoteDto,
})
class ParcelNotesController extends RoutesOf(NotesService, BODIES, 'noteId') {}

@Module({
  imports: [TypeOrmModule.forFeature([Note])],
  controllers: [ParcelNotesController],
  providers: [NotesService],
})
export class NotesModule {}
