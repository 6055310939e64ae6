import { ApiSchema } from '@nestjs/swagger';

import { PatchOf } from '../../fields/derive.js';
import { Decimal, Id, Integer, Text } from '../../fields/fields.js';

const QUANTITY = { min: 1, max: 1000, example: 2 };

@ApiSchema({ name: 'OrderItem' })
export class OrderItemDto {
  @Id()
  id: number;

  @Id()
  orderId: number;

  @Id({ nullable: true, description: 'Null once the product is deleted.' })
  productId: number | null;

  @Text({ max: 200, example: 'Walnut desk lamp', description: 'As it was when it was ordered.' })
  productName: string;

  @Decimal({ example: 49.9, description: 'As it was when it was ordered.' })
  unitPrice: number;

  @Integer(QUANTITY)
  quantity: number;

  @Decimal({ example: 99.8 })
  lineTotal: number;
}

@ApiSchema({ name: 'NewOrderItem' })
export class NewOrderItemDto {
  // An id that no product can have is one of an unknown product, which the order says.
  @Integer({ min: 1, max: Number.MAX_SAFE_INTEGER, example: 42 })
  productId: number;

  @Integer(QUANTITY)
  quantity: number;
}

@ApiSchema({ name: 'PatchOrderItem' })
export class PatchOrderItemDto extends PatchOf(NewOrderItemDto) {}
