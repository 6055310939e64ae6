import { Body, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import {
  ApiErrorResponse,
  Caller,
  CurrentUser,
  grantsOnParent,
  ListQuery,
  Page,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
  Transaction,
} from '@plinth/core';

import { NewOrderItemDto, OrderItemKey, OrderKey, PatchOrderItemDto } from '../order.dto.js';
import { OrderItem, OrderItemDto } from '../order.entity.js';
import * as errors from '../order.errors.js';
import { orderItemList, ORDER_ITEMS } from '../order.resource.js';
import { OrderItemsService } from './order-items.service.js';

const NOT_EDITABLE = [errors.ORDER_NOT_FOUND, errors.ORDER_NOT_EDITABLE, errors.ORDER_ITEM_COUNT];
const NOT_ORDERABLE = [errors.PRODUCT_OUT_OF_STOCK, errors.ORDER_TOTAL_TOO_LARGE];

/** Staff see the items of all orders; other users see only the items of their own orders. */
@Resource({ ...ORDER_ITEMS, version: ['1', '2'], responseDto: OrderItemDto })
@RequirePermission('read', { staff: true, ownerField: 'userId' })
export class OrderItemsController {
  constructor(private readonly items: OrderItemsService) {}

  @Get()
  list(@ListQuery(orderItemList) query: ListQuery): Promise<Page<OrderItem>> {
    return this.items.list(query);
  }

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<OrderItem> {
    return this.items.get(id, caller);
  }
}

/** The items of one order. They can be changed only while the order is pending. */
@Resource({
  ...ORDER_ITEMS,
  path: 'users/:id/orders/:orderId/items',
  version: ['1', '2'],
  responseDto: OrderItemDto,
  collection: 'order-items',
  grants: [grantsOnParent('order', 'orderId'), grantsOnParent('user', 'userId', 'id')],
})
export class ItemsOfOrderController {
  constructor(private readonly items: OrderItemsService) {}

  @Get()
  @RequirePermission('read', { staff: true, selfParam: 'id' })
  @ApiErrorResponse(errors.ORDER_NOT_FOUND)
  list(
    @Param() order: OrderKey,
    @ListQuery(orderItemList, { userId: 'id', orderId: 'orderId' }) query: ListQuery,
  ): Promise<Page<OrderItem>> {
    return this.items.listOfOrder(order, query);
  }

  @Get(':itemId')
  @RequirePermission('read', { staff: true, selfParam: 'id' })
  get(@Param() key: OrderItemKey, @CurrentUser() caller: Caller): Promise<OrderItem> {
    return this.items.get(key, caller);
  }

  @Post()
  @RequirePermission('create', { selfParam: 'id' })
  @ApiOperation({
    summary: 'Add an item to a pending order',
    description: 'Copies the price of the product, and updates the `total` of the order.',
    operationId: 'createOrderItem',
  })
  @ApiErrorResponse(...NOT_EDITABLE, ...NOT_ORDERABLE)
  create(
    @Param() order: OrderKey,
    @Body() body: NewOrderItemDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<OrderItem> {
    return this.items.add(order, body, caller, tx);
  }

  @Patch(':itemId')
  @RequirePermission('update', { selfParam: 'id' })
  @ApiOperation({
    summary: 'Change an item of a pending order',
    operationId: 'patchOrderItem',
    description:
      'You can always lower the quantity. A higher quantity gets 409 `PRODUCT_OUT_OF_STOCK` if the product is out of ' +
      'stock, no longer exists, or costs more than when it was ordered.',
  })
  @ApiErrorResponse(...NOT_EDITABLE, ...NOT_ORDERABLE)
  patch(
    @Param() key: OrderItemKey,
    @Body() body: PatchOrderItemDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<OrderItem> {
    return this.items.change(key, body, caller, preconditions);
  }

  @Delete(':itemId')
  @RequirePermission('delete', { selfParam: 'id' })
  @ApiOperation({ summary: 'Delete an item of a pending order', operationId: 'deleteOrderItem' })
  @ApiErrorResponse(...NOT_EDITABLE)
  remove(
    @Param() key: OrderItemKey,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.items.remove(key, caller, preconditions);
  }
}
