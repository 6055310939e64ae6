import { FastifyRequest } from 'fastify';

import '../../access/access.hook.js';
import { deniedByGrant } from '../../access/decision.js';
import '../../access/grant-links.js';
import { AnswerData } from '../../http/kept-answer.js';

/** Asserts that no grant has hidden what a stored answer shows. @throws ApiError `PERMISSION_DENIED` */
export function assertNotHidden({ policy, grants }: FastifyRequest, { headers }: AnswerData): void {
  const link = policy?.grants?.find(({ property }) => property === 'id');
  const id = Number(headers['location']?.split('/').at(-1));
  if (link && grants.deniedIds(link.type, 'read').has(id)) throw deniedByGrant('read');
}

/** For routes whose rules are all declared: they have been checked before a stored answer is looked for. */
export const ADMIT_ALL = (): Promise<void> => Promise.resolve();
