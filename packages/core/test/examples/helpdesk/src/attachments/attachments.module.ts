import { Module } from '@nestjs/common';
import { MultipartModule } from '@nestjs/platform-fastify';
import { TypeOrmModule } from '@nestjs/typeorm';

import { TicketsModule } from '../tickets/tickets.module.js';
import { AttachmentContentController } from './attachment-content.controller.js';
import { Attachment } from './attachment.entity.js';
import { AttachmentsController } from './attachments.controller.js';
import { AttachmentsRepository } from './attachments.repository.js';
import { AttachmentsService } from './attachments.service.js';
import { FileStore } from './file-store.js';
import { MAX_FILE_BYTES } from './media-types.js';

@Module({ providers: [FileStore], exports: [FileStore] })
class FilesModule {}

@Module({
  imports: [
    TypeOrmModule.forFeature([Attachment]),
    TicketsModule,
    FilesModule,
    MultipartModule.registerAsync({
      imports: [FilesModule],
      inject: [FileStore],
      useFactory: (storage: FileStore) => ({
        storage,
        defParamCharset: 'utf8',
        limits: { fileSize: MAX_FILE_BYTES, files: 1, fields: 0 },
      }),
    }),
  ],
  controllers: [AttachmentsController, AttachmentContentController],
  providers: [AttachmentsService, AttachmentsRepository],
  exports: [AttachmentsService],
})
export class AttachmentsModule {}
