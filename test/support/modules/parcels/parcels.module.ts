import { Body, Delete, Get, Injectable, Module, Patch, Post, Put } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Database } from '../../../../src/database/database.js';
import { BodyOf, PatchOf, PickOf } from '../../../../src/fields/derive.js';
import { defineError } from '../../../../src/http/errors/catalogue.js';
import { equals } from '../../../../src/lists/filters.js';
import { defineList } from '../../../../src/lists/list-definition.js';
import { ListQuery } from '../../../../src/lists/list-parameters.decorator.js';
import { Preconditions } from '../../../../src/resources/conditions.decorator.js';
import { PathId } from '../../../../src/resources/path-id.decorator.js';
import { ResourceRepository } from '../../../../src/resources/resource-repository.js';
import { ResourceService } from '../../../../src/resources/resource.service.js';
import { Resource, ResourceDefinition } from '../../../../src/resources/resource.js';
import { Transaction } from '../../../../src/resources/transaction.decorator.js';
import { Parcel } from './parcel.entity.js';

export const PARCELS: ResourceDefinition<Parcel> = {
  path: 'parcels',
  entity: Parcel,
  notFound: defineError(404, 'PARCEL_NOT_FOUND', 'There is no such parcel.'),
  constraints: {
    parcels_label_key: defineError(409, 'PARCEL_ALREADY_EXISTS', 'A parcel has this label already.'),
  },
  list: defineList(Parcel, {
    name: 'parcels',
    filters: { size: equals('size') },
    sorts: ['label', 'dueAt', 'shippedOn', 'bytes', 'insured'],
  }),
};

const WRITTEN = [
  'label',
  'size',
  'price',
  'weight',
  'pieces',
  'bytes',
  'insured',
  'shippedOn',
  'dueAt',
  'sender',
  'link',
  'contact',
  'customs',
  'tags',
  'codes',
  'sides',
  'days',
  'scans',
] as const;

class ParcelDto extends PickOf(Parcel, ['id', ...WRITTEN, 'createdAt', 'updatedAt']) {}
class ParcelBodyDto extends BodyOf(Parcel, WRITTEN) {}
class PatchParcelDto extends PatchOf(ParcelBodyDto) {}

@Injectable()
class ParcelsService extends ResourceService<Parcel> {
  constructor(database: Database) {
    super(new ResourceRepository(database, PARCELS));
  }
}

@Resource({ ...PARCELS, version: '2', of: ParcelDto })
class ParcelsController {
  constructor(private readonly parcels: ParcelsService) {}

  @Get()
  list(@ListQuery() query: ListQuery) {
    return this.parcels.list(query);
  }

  @Get(':id')
  get(@PathId() id: string) {
    return this.parcels.get(id);
  }

  @Post()
  create(@Body() body: ParcelBodyDto, @Transaction() tx: Transaction) {
    return this.parcels.create(body, tx);
  }

  @Put(':id')
  replace(@PathId() id: string, @Body() body: ParcelBodyDto, @Preconditions() preconditions: Preconditions) {
    return this.parcels.replace(id, body, preconditions);
  }

  @Patch(':id')
  patch(@PathId() id: string, @Body() body: PatchParcelDto, @Preconditions() preconditions: Preconditions) {
    return this.parcels.patch(id, body, preconditions);
  }

  @Delete(':id')
  remove(@PathId() id: string, @Preconditions() preconditions: Preconditions) {
    return this.parcels.remove(id, preconditions);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Parcel])],
  controllers: [ParcelsController],
  providers: [ParcelsService],
})
export class ParcelsModule {}
