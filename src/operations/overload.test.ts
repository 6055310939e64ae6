import { ServerResponse } from 'node:http';

import { pino } from 'pino';

import { Overload } from './overload.js';

type Hook = (request: unknown, reply: { raw: ServerResponse }, done: (error?: Error) => void) => void;

it('F13 gives back the place of a request whose client went before its body was parsed', () => {
  const overload = new Overload(1, { isHigh: false } as never, () => undefined, pino({ enabled: false }));
  const route = { method: 'POST', preValidation: [] as Hook[] };
  overload.register({
    addHook: (name: string, add: (of: object) => void) => {
      if (name === 'onRoute') add(route);
    },
  } as never);
  const request = { method: 'POST', url: '/', headers: { 'content-length': '9' } } as never;
  const response = new ServerResponse(request);
  expect(overload.admit(request, response)).toBe(true);
  overload.ended(response);
  let error: Error | undefined;
  route.preValidation[0]?.(request, { raw: response }, (refused) => (error = refused));
  expect([error, overload.atWork]).toEqual([undefined, 1]);
  response.end();
  expect(overload.atWork).toBe(0);
});
