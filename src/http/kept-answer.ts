import { FastifyReply } from 'fastify';

import { Answer, sendJson } from './answer.js';

/** An answer as data: can be stored, and given again. */
export interface AnswerData {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string;
}

/** Sends an answer that was made into data, the first time or again. */
export class KeptAnswer extends Answer {
  constructor(
    private readonly data: AnswerData,
    private readonly isReplay: boolean,
  ) {
    super();
  }

  send(reply: FastifyReply): void {
    const { status, headers, json } = this.data;
    void reply.code(status).headers(headers);
    if (this.isReplay) void reply.header('idempotency-replayed', 'true');
    sendJson(reply, json);
  }
}
