import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { catchError, Observable } from 'rxjs';

import { FileStore, StoredFile } from './file-store.js';

/** Removes the file of an upload if the request fails after the file was stored, for example in its transaction. */
@Injectable()
export class DiscardFileInterceptor implements NestInterceptor {
  constructor(private readonly files: FileStore) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { file } = context.switchToHttp().getRequest<{ file?: StoredFile }>();
    const discard = async (error: unknown): Promise<never> => {
      if (file) await this.files.remove(file.filename);
      throw error;
    };
    return next.handle().pipe(catchError(discard));
  }
}
