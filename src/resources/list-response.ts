import { FastifyReply } from 'fastify';

import { Page } from '../lists/page.js';
import { PageResponse } from '../lists/page-response.js';
import { ParentCheck } from './parent-check.js';
import { Call, Responder } from './route-handler.js';

/** Turns the page that a route returns into its response; 404 where the list is of a parent that is not there. */
export class ListResponse implements Responder {
  constructor(
    private readonly pages: PageResponse,
    private readonly parent: ParentCheck | undefined,
  ) {}

  async respond(call: Call, reply: FastifyReply): Promise<object | undefined> {
    const page = (await call()) as Page<unknown>;
    if (page.rows.length === 0) await this.parent?.assertThere(page.query, reply.request);
    return this.pages.of(page, reply);
  }
}
