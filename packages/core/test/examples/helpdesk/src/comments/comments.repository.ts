import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository } from '@plinth/core';

import { Comment } from './comment.entity.js';
import { COMMENTS } from './comment.resource.js';

@Injectable()
export class CommentsRepository extends ResourceRepository<Comment> {
  constructor(database: Database) {
    super(database, COMMENTS);
  }
}
