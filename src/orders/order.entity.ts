import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';

import { ResourceEntity } from '../resources/resource.entity.js';
import { User } from '../users/user.entity.js';

/** An order as the table has it. It is read as an `OrderRow`, with its items; see `orders.repository.ts`. */
@Entity('orders')
@Check('orders_status_known', `status in ('pending', 'paid', 'shipped', 'delivered', 'cancelled')`)
// What a JSON number holds exactly; one line alone is never more.
@Check('orders_total_range', 'total between 0 and 9999999999999.99')
// For the items, which name both.
@Unique('orders_id_user_id_key', ['id', 'userId'])
@Index('orders_created_at', ['createdAt', 'id'])
@Index('orders_status_created_at', ['status', 'createdAt', 'id'])
@Index('orders_user_created_at', ['userId', 'createdAt', 'id'])
@Index('orders_total', ['total', 'id'])
@Index('orders_user_total', ['userId', 'total', 'id'])
export class OrderEntity extends ResourceEntity {
  @Column({ name: 'user_id', type: 'int' })
  @ForeignKey(() => User, { name: 'orders_user_id_fkey' })
  userId: number;

  @Column({ type: 'varchar', length: 20, default: 'pending' })
  status: string;

  @Column({ type: 'numeric', precision: 17, scale: 2 })
  total: string;
}
