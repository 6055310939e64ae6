import { DataSource } from 'typeorm';

import { Client } from '../support/client.js';
import { MUTED, NotesModule } from '../support/modules/notes/notes.module.js';
import { ParcelsModule } from '../support/modules/parcels/parcels.module.js';
import { makeTables } from '../support/make-tables.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { errorOf } from '../support/products.js';

const PARCEL = { size: 'small', price: 1 };
const NOBODYS = '0197d3a0-7c1e-7b2a-9d4f-3b1c5e6f7a8b';

describe('a resource under another, with an owner and UUIDs', () => {
  let app: OwnApp;
  let admin: Client;
  let viewer: Client;
  let parcel: string;
  let notes: string;

  const parcelId = async (): Promise<string> => {
    const created = await admin.post('/api/v2/parcels', { ...PARCEL, label: `P-${Math.random()}` });
    return (created.body as { id: string }).id;
  };

  beforeAll(async () => {
    app = await startInProcess({}, undefined, [ParcelsModule, NotesModule]);
    await makeTables(app.app.nest.get(DataSource));
    admin = await app.as('admin');
    viewer = await app.as('viewer');
    parcel = await parcelId();
    notes = `/api/v2/parcels/${parcel}/notes`;
  });
  afterAll(() => app.stop());

  it('gives a new row its parent and its owner', async () => {
    const created = await viewer.post(notes, { text: 'Fragile.' });
    const { body, headers } = created;
    expect([created.status, body]).toEqual([201, expect.objectContaining({ parcelId: parcel })]);
    expect((body as { userId: number }).userId).toEqual(expect.any(Number));
    const path = headers.get('location')!;
    expect((await viewer.get(path)).body).toEqual(body);
    const { id } = body as { id: string };
    expect(
      (await viewer.get(`/api/v2/parcels/${parcel.toUpperCase()}/notes/${id.toUpperCase()}`)).body,
    ).toEqual(body);
    expect((await viewer.patch(path, { text: 'Very.' })).body).toMatchObject({ text: 'Very.' });
    expect(errorOf(await (await app.as('viewer')).patch(path, { text: 'Mine.' }))).toBe(
      '403 PERMISSION_DENIED',
    );
  });

  it('has no row under another parent', async () => {
    const { id } = (await viewer.post(notes, { text: 'Here.' })).body as { id: string };
    const other = `/api/v2/parcels/${await parcelId()}/notes`;
    expect(errorOf(await viewer.get(`${other}/${id}`))).toBe('404 NOTE_NOT_FOUND');
    expect(errorOf(await viewer.delete(`${other}/${id}`))).toBe('404 NOTE_NOT_FOUND');
    expect((await viewer.get(other)).body).toMatchObject({ data: [] });
    expect((await viewer.delete(`${notes}/${id}`)).status).toBe(204);
  });

  it('tells an empty list from that of a parent that does not exist', async () => {
    const empty = await viewer.get(`/api/v2/parcels/${await parcelId()}/notes`);
    expect([empty.status, empty.body]).toEqual([200, expect.objectContaining({ data: [] })]);
    const path = `/api/v2/parcels/${NOBODYS}/notes`;
    for (const query of ['', '?cursor=', '?page=3'])
      expect(errorOf(await viewer.get(path + query))).toBe('404 PARCEL_NOT_FOUND');
    expect(errorOf(await viewer.post(path, { text: 'Lost.' }))).toBe('404 PARCEL_NOT_FOUND');
  });

  it('takes no id that is no UUID', async () => {
    expect(errorOf(await viewer.get('/api/v2/parcels/7/notes'))).toBe('400 INVALID_ID');
    expect(errorOf(await viewer.get(`${notes}/7`))).toBe('400 INVALID_ID');
    expect(errorOf(await viewer.post('/api/v2/parcels/7/notes', { text: 'Seven.' }))).toBe('400 INVALID_ID');
  });

  it('judges replays of an Idempotency-Key by what is true of the caller today', async () => {
    const client = await app.as('viewer');
    const { id } = (await client.get('/api/v2/users/me')).body as { id: number };
    const key = { 'idempotency-key': 'once' };
    const first = await client.post(notes, { text: 'Once.' }, key);
    const again = await client.post(notes, { text: 'Once.' }, key);
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    await admin.patch(`/api/v2/users/${id}`, { name: MUTED });
    expect(errorOf(await client.post(notes, { text: 'Once.' }, key))).toBe('403 PERMISSION_DENIED');
    const refused = await client.post(notes, { text: 'Twice.' });
    expect(refused.body).toMatchObject({ error: { message: 'Muted may not write "Twice.".' } });
  });
});
