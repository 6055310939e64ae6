import fastify from 'fastify';

import { serialize } from './json.js';

const BODY = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  required: ['id'],
};

describe('serialize', () => {
  const respond = async (body: unknown): Promise<unknown> => {
    const app = fastify();
    app.get('/lamps', { schema: { response: { 200: BODY } } }, (_request, reply) => {
      try {
        return reply.send(JSON.parse(serialize(body, reply)));
      } catch (error) {
        return { id: 0, name: (error as Error).message };
      }
    });
    return (await app.inject('/lamps')).json();
  };

  it('keeps to the schema of the response', async () => {
    expect(await respond({ id: 1, name: 'a', secret: 'b' })).toEqual({ id: 1, name: 'a' });
  });

  it('says of what the schema does not allow whose fault it is, and what to do', async () => {
    expect(await respond({ exported: true })).toEqual({
      id: 0,
      name: 'The route returned what does not fit its response: "id" is required! @ApiOkResponse({ type }) on the route names another response.',
    });
  });
});
