import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ProductsModule } from '../products/products.module.js';
import { UsersModule } from '../users/users.module.js';
import { ItemsOfOrderController } from './items/items-of-order.controller.js';
import { OrderItemEntity } from './items/order-item.entity.js';
import { OrderItemsController } from './items/order-items.controller.js';
import { OrderItemsRepository } from './items/order-items.repository.js';
import { OrderItemsService } from './items/order-items.service.js';
import { OrderEntity } from './order.entity.js';
import { OrdersController } from './orders.controller.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService } from './orders.service.js';
import { UserOrdersController } from './user-orders.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([OrderEntity, OrderItemEntity]), ProductsModule, UsersModule],
  controllers: [OrdersController, UserOrdersController, OrderItemsController, ItemsOfOrderController],
  providers: [OrdersService, OrdersRepository, OrderItemsService, OrderItemsRepository],
})
export class OrdersModule {}
