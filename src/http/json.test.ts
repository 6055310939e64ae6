import fastify from 'fastify';

import { jsonOf, serialize } from './json.js';
import { RoutePolicy } from './route-policy.js';

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

describe('the JSON of a body that lasts', () => {
  const lamp = Object.freeze({ id: 1, name: 'Lämp' });
  const lasts: RoutePolicy = { isLasting: (body) => body === lamp };
  const NAMELESS = { type: 'object', properties: { id: { type: 'integer' } } };

  /** The JSON that routes send for a body, by their paths, and how often it was serialized. */
  async function sent(body: object, ...paths: string[]): Promise<[json: string[], serialized: number]> {
    const app = fastify();
    let serialized = 0;
    const routes: [path: string, policy: RoutePolicy, schema: object, status: 200][] = [
      ['/whole', { ...lasts }, BODY, 200],
      ['/nameless', { ...lasts }, NAMELESS, 200],
      ['/other-status', { ...lasts }, BODY, 203 as 200],
      ['/passing', {}, BODY, 200],
    ];
    for (const [url, policy, schema, status] of routes)
      app.get(url, { schema: { response: { 200: schema } } }, (request, reply) => {
        Object.assign(request, { policy });
        void reply.code(status);
        const serializeBy = reply.serialize.bind(reply);
        reply.serialize = (payload) => {
          serialized++;
          return serializeBy(payload);
        };
        const json = jsonOf(body, reply);
        return reply.serializer((payload: unknown) => payload as string).send(json);
      });
    const answers = [];
    for (const path of paths) answers.push((await app.inject(path)).body);
    return [answers, serialized];
  }

  it('is made once for a route', async () => {
    const whole = '{"id":1,"name":"Lämp"}';
    expect(await sent(lamp, '/whole', '/whole', '/whole')).toEqual([[whole, whole, whole], 1]);
  });

  it('is made each time of a body that does not, or for a route without such bodies', async () => {
    const own = { id: 2 };
    expect(await sent(own, '/whole', '/whole', '/passing')).toEqual([
      ['{"id":2}', '{"id":2}', '{"id":2}'],
      3,
    ]);
    expect((await sent(lamp, '/passing', '/passing'))[1]).toBe(2);
  });

  it('is that of the route and its status, whichever showed the body before', async () => {
    const [whole, nameless] = ['{"id":1,"name":"Lämp"}', '{"id":1}'];
    const paths = ['/whole', '/nameless', '/other-status', '/nameless', '/whole'];
    expect((await sent(lamp, ...paths))[0]).toEqual([whole, nameless, whole, nameless, whole]);
  });
});
