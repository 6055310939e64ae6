import {
  Body,
  Controller,
  FileTypeValidator,
  MaxFileSizeValidator,
  Module,
  ParseFilePipe,
  Post,
  UploadedFile,
  UploadedFiles,
  UseInterceptors,
} from '@nestjs/common';
import { FileInterceptor, FilesInterceptor } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, Length } from 'class-validator';

interface File {
  readonly originalname: string;
  readonly mimetype: string;
  readonly size: number;
  readonly buffer: Buffer;
}

class PictureDto {
  @Length(1, 50)
  title: string;

  @IsInt()
  year: number;

  @IsOptional()
  @IsBoolean()
  isPublic?: boolean;
}

const shown = ({ originalname, mimetype, size }: File): object => ({ originalname, mimetype, size });

@Controller({ path: 'pictures', version: '1' })
class PicturesController {
  /** A file of at most 1 KiB with form fields, which are strings. */
  @Post()
  @UseInterceptors(FileInterceptor('picture', { limits: { fileSize: 1024 } }))
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: { type: 'object', properties: { picture: { type: 'string', format: 'binary' } } } })
  add(@UploadedFile(new ParseFilePipe()) file: File, @Body() body: PictureDto): object {
    return { ...shown(file), ...body };
  }

  @Post('checked')
  @UseInterceptors(FileInterceptor('picture'))
  checked(
    @UploadedFile(
      new ParseFilePipe({
        validators: [
          new MaxFileSizeValidator({ maxSize: 100 }),
          new FileTypeValidator({ fileType: 'image/png', skipMagicNumbersValidation: true }),
        ],
      }),
    )
    file: File,
  ): object {
    return shown(file);
  }

  @Post('many')
  @UseInterceptors(FilesInterceptor('pictures', 3))
  many(@UploadedFiles() files: File[]): object[] {
    return files.map(shown);
  }

  @Post('named')
  named(@Body() body: PictureDto): object {
    return body;
  }
}

@Module({ controllers: [PicturesController] })
export class PicturesModule {}
