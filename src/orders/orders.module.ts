import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ItemsOfOrderController, OrderItemsController } from './items/order-items.controller.js';
import { OrderItemsRepository } from './items/order-items.repository.js';
import { OrderItemsService } from './items/order-items.service.js';
import { Order, OrderItem } from './order.entity.js';
import { OrdersController, UserOrdersController } from './orders.controller.js';
import { OrdersRepository } from './orders.repository.js';
import { OrdersService } from './orders.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Order, OrderItem])],
  controllers: [OrdersController, UserOrdersController, OrderItemsController, ItemsOfOrderController],
  providers: [OrdersService, OrdersRepository, OrderItemsService, OrderItemsRepository],
})
export class OrdersModule {}
