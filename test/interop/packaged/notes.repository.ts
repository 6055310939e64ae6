import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';

import { Note } from './note.entity.js';

/** Queries by TypeORM's own repository: values are of the types that the entity declares. */
@Injectable()
export class NotesRepository {
  constructor(@InjectRepository(Note) private readonly notes: Repository<Note>) {}

  dearerThan(price: number): Promise<Note[]> {
    return this.notes.find({ where: { price: MoreThan(price) }, order: { price: 'asc' } });
  }
}
