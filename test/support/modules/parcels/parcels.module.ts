import { Body, Get, Injectable, Module, Param, Patch, Post, Put } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  BodyOf,
  Caller,
  CurrentUser,
  Database,
  defineErrors,
  ParseIdPipe,
  PatchOf,
  PickOf,
  Preconditions,
  RequirePermission,
  Resource,
  ResourceDefinition,
  ResourceRepository,
  ResourceService,
  Transaction,
} from '@plinth/core';

import { Parcel } from './parcel.entity.js';

const { PARCEL_NOT_FOUND, PARCEL_ALREADY_EXISTS } = defineErrors({
  PARCEL_NOT_FOUND: [404, 'There is no such parcel.'],
  PARCEL_ALREADY_EXISTS: [409, 'A parcel has this label already.'],
});

export const PARCELS: ResourceDefinition<Parcel> = {
  path: 'parcels',
  entity: Parcel,
  notFound: PARCEL_NOT_FOUND,
  constraints: { parcels_label_key: PARCEL_ALREADY_EXISTS },
};

const WRITTEN = [
  'label',
  'size',
  'price',
  'weight',
  'pieces',
  'insured',
  'shippedOn',
  'dueAt',
  'link',
  'contact',
] as const;

class ParcelDto extends PickOf(Parcel, ['id', ...WRITTEN, 'createdAt', 'updatedAt']) {}
class ParcelBodyDto extends BodyOf(ParcelDto, WRITTEN) {}
class PatchParcelDto extends PatchOf(ParcelBodyDto) {}

@Injectable()
class ParcelsRepository extends ResourceRepository<Parcel> {
  constructor(database: Database) {
    super(database, PARCELS);
  }
}

@Injectable()
class ParcelsService extends ResourceService<Parcel> {
  constructor(parcels: ParcelsRepository) {
    super(parcels);
  }
}

@Resource({ ...PARCELS, version: '2', responseDto: ParcelDto })
class ParcelsController {
  constructor(private readonly parcels: ParcelsService) {}

  @Get(':id')
  @RequirePermission('read')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Parcel> {
    return this.parcels.get(id, caller);
  }

  @Post()
  @RequirePermission('create')
  create(@Body() body: ParcelBodyDto, @Transaction() tx: Transaction): Promise<Parcel> {
    return this.parcels.create(body, tx);
  }

  @Put(':id')
  @RequirePermission('update')
  replace(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: ParcelBodyDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Parcel> {
    return this.parcels.replace(id, body, caller, preconditions);
  }

  @Patch(':id')
  @RequirePermission('update')
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchParcelDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Parcel> {
    return this.parcels.patch(id, body, caller, preconditions);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Parcel])],
  controllers: [ParcelsController],
  providers: [ParcelsService, ParcelsRepository],
})
export class ParcelsModule {}
