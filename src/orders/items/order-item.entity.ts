import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';

import { Product } from '../../products/product.entity.js';
import { ResourceEntity } from '../../resources/resource.entity.js';
import { OrderEntity } from '../order.entity.js';

/** A line of an order as the table has it. It is read as an `OrderItemRow`; see `order-items.repository.ts`. */
@Entity('order_items')
@Check('order_items_quantity_range', 'quantity between 1 and 1000')
@Check('order_items_unit_price_range', 'unit_price >= 0')
@Unique('order_items_product_key', ['orderId', 'productId'])
// The user of an item is the user of its order: lists of items are narrowed without a join.
@ForeignKey(() => OrderEntity, ['orderId', 'userId'], ['id', 'userId'], {
  name: 'order_items_order_id_fkey',
  onDelete: 'CASCADE',
})
@Index('order_items_created_at', ['createdAt', 'id'])
@Index('order_items_order_created_at', ['orderId', 'createdAt', 'id'])
@Index('order_items_user_created_at', ['userId', 'createdAt', 'id'])
@Index('order_items_product_created_at', ['productId', 'createdAt', 'id'])
export class OrderItemEntity extends ResourceEntity {
  @Column({ name: 'order_id', type: 'int' })
  orderId: number;

  @Column({ name: 'user_id', type: 'int' })
  userId: number;

  /** Null once the product is deleted; the item then has a new version, and so has its order: by a trigger. */
  @Column({ name: 'product_id', type: 'int', nullable: true })
  @ForeignKey(() => Product, { name: 'order_items_product_id_fkey', onDelete: 'SET NULL' })
  productId: number | null;

  @Column({ name: 'product_name', type: 'varchar', length: 200 })
  productName: string;

  @Column({ name: 'unit_price', type: 'numeric', precision: 12, scale: 2 })
  unitPrice: string;

  @Column({ type: 'int' })
  quantity: number;
}
