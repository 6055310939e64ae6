import type { IncomingMessage } from 'node:http';

import { Module } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  OnGatewayConnection,
  SubscribeMessage,
  WebSocketGateway,
  WsException,
} from '@nestjs/websockets';
import { IsInt, Length } from 'class-validator';

import { CurrentPrincipal } from '../../packages/core/src/access/caller.js';
import type { Principal } from '../../packages/core/src/access/principal.js';
import { RequirePermission } from '../../packages/core/src/access/require-permission.decorator.js';
import { ApiError } from '../../packages/core/src/http/errors/api-error.js';
import type { GatewayClient } from '../../packages/core/src/websockets/gateway.adapter.js';
import { PRODUCT_NOT_FOUND } from '../../src/products/product.errors.js';

class SaidDto {
  @Length(1, 20)
  text: string;

  @IsInt()
  room: number;
}

/** Callers who may read may listen: a gateway without a declaration requires the permission `read`. */
@WebSocketGateway({ path: '/api/v1/chat' })
export class ChatGateway implements OnGatewayConnection {
  handleConnection(client: GatewayClient, request: IncomingMessage): void {
    const hello = { role: client.principal?.role, path: request.url };
    client.send(JSON.stringify({ event: 'hello', data: hello }));
  }

  @SubscribeMessage('say')
  say(@MessageBody() said: SaidDto, @CurrentPrincipal() caller: Principal): object {
    return { event: 'said', data: { ...said, by: caller.role, is: said.constructor.name } };
  }

  @SubscribeMessage('fail')
  fail(@MessageBody('how') how: string, @ConnectedSocket() client: GatewayClient): never {
    if (how === 'error') throw new ApiError(PRODUCT_NOT_FOUND);
    if (how === 'socket') throw new WsException('Not in this room.');
    throw new Error(`select password from users, ${String(client.readyState)}`);
  }
}

@RequirePermission('delete')
@WebSocketGateway({ path: '/api/v1/moderation' })
export class ModerationGateway {
  @SubscribeMessage('close')
  close(): object {
    return { event: 'closed', data: {} };
  }
}

@Module({ providers: [ChatGateway, ModerationGateway] })
export class ChatModule {}
