/** The peers, in the order in which they are started and shown. */
import { directus } from './directus/peer.mjs';
import { feathers } from './feathers/peer.mjs';
import { nestjs } from './nestjs/peer.mjs';
import { strapi } from './strapi/peer.mjs';

/** @type {import('./peer.mjs').Peer[]} */
export const peers = [nestjs, feathers, directus, strapi];
