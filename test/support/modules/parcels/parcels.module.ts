import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { BodyOf, PatchOf, PickOf } from '../../../../src/fields/derive.js';
import { defineError } from '../../../../src/http/errors/catalogue.js';
import { equals } from '../../../../src/lists/filters.js';
import { defineList } from '../../../../src/lists/list-definition.js';
import { Resource, ResourceDefinition } from '../../../../src/resources/resource.js';
import { RoutesOf } from '../../../../src/resources/routes-of.js';
import { ServiceOf } from '../../../../src/resources/service-of.js';
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
class ParcelBodyDto extends BodyOf(ParcelDto, WRITTEN) {}
class PatchParcelDto extends PatchOf(ParcelBodyDto) {}

@Injectable()
class ParcelsService extends ServiceOf(PARCELS) {}

@Resource({ ...PARCELS, version: '2', of: ParcelDto })
class ParcelsController extends RoutesOf(ParcelsService, {
  create: ParcelBodyDto,
  replace: ParcelBodyDto,
  patch: PatchParcelDto,
}) {}

@Module({
  imports: [TypeOrmModule.forFeature([Parcel])],
  controllers: [ParcelsController],
  providers: [ParcelsService],
})
export class ParcelsModule {}
