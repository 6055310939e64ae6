import { Client } from '@plinth/dev/testing';
import { DataSource } from 'typeorm';

import { Parcel } from '../support/modules/parcels/parcel.entity.js';
import { ParcelsModule } from '../support/modules/parcels/parcels.module.js';
import { makeTables } from '../support/make-tables.js';
import { useInProcess } from '../support/own-app.js';

const PARCEL = {
  label: 'P-1',
  size: 'small',
  price: 0.1,
  weight: 2.125,
  pieces: 3,
  insured: true,
  shippedOn: '2026-02-28',
  dueAt: '2026-03-29T01:30:00.120Z',
  link: 'https://example.com/p?a=1#b',
  contact: 'ada@example.com',
};

const OTHERS: Partial<Record<keyof typeof PARCEL, unknown>> = {
  label: 'P-2',
  size: 'large',
  price: 9_999_999_999.99,
  weight: 999.999,
  pieces: 0,
  insured: false,
  shippedOn: '2026-03-01',
  dueAt: '2026-03-29T01:30:00.121Z',
  link: 'http://localhost:3000',
  contact: 'bob@example.com',
};

describe('a resource with a column of every kind', () => {
  const app = useInProcess({}, undefined, [ParcelsModule]);
  let admin: Client;

  beforeAll(async () => {
    await makeTables(app.app.nest.get(DataSource));
    admin = await app.as('admin');
  });

  const parcel = async (values: object = {}): Promise<{ id: number; path: string; etag: string }> => {
    const created = await admin.post('/api/v2/parcels', {
      ...PARCEL,
      label: `P-${Math.random()}`,
      ...values,
    });
    expect([created.status, created.text]).toEqual([201, expect.anything()]);
    const { id } = created.body as { id: number };
    return { id, path: `/api/v2/parcels/${id}`, etag: created.headers.get('etag')! };
  };

  it('is created, and read as it was written', async () => {
    const { path, etag } = await parcel({ label: 'first' });
    const read = await admin.get(path);
    expect(read.body).toMatchObject({ ...PARCEL, label: 'first' });
    expect(read.headers.get('etag')).toBe(etag);
    expect((await admin.get(path, { 'if-none-match': etag })).status).toBe(304);
  });

  it('gets its defaults, and null for omitted nullable fields', async () => {
    const { path } = await parcel();
    const { label, size, price } = PARCEL;
    const replaced = await admin.put(path, { label: `${label} replaced`, size, price });
    expect(replaced.body).toMatchObject({ weight: 1.5, pieces: 1, insured: false });
    expect(replaced.body).toMatchObject({ link: null, dueAt: null });
  });

  it.each(Object.keys(PARCEL) as (keyof typeof PARCEL)[])(
    'keeps its version when %s is written again',
    async (name) => {
      const label = `again ${name}`;
      const { path, etag } = await parcel({ label });
      const patched = await admin.patch(path, { [name]: { ...PARCEL, label }[name] });
      expect([patched.status, patched.headers.get('etag')]).toEqual([200, etag]);
    },
  );

  it.each(Object.keys(OTHERS) as (keyof typeof PARCEL)[])(
    'becomes a new version when %s is changed',
    async (name) => {
      const { path, etag } = await parcel();
      const patched = await admin.patch(path, { [name]: OTHERS[name] });
      expect(patched.body).toMatchObject({ [name]: OTHERS[name] });
      expect(patched.headers.get('etag')).toBe(etag.replace(/-1"$/, '-2"'));
      expect((await admin.get(path)).body).toEqual(patched.body);
    },
  );

  it.each<[string, unknown, string]>([
    ['the same instant in another offset', { dueAt: '2026-03-29T03:30:00.120+02:00' }, '-1"'],
    ['the same instant in an offset of 23 hours', { dueAt: '2026-03-30T00:30:00.120+23:00' }, '-1"'],
    ['the same instant to the nanosecond', { dueAt: '2026-03-29T01:30:00.120999999Z' }, '-1"'],
    ['the same instant without an offset', { dueAt: '2026-03-29T01:30:00.12' }, '-1"'],
  ])('compares values like PostgreSQL: %s', async (_, changes, version) => {
    const { path } = await parcel();
    expect((await admin.patch(path, changes)).headers.get('etag')).toContain(version);
  });

  it.each<[string, object, string]>([
    ['a day that does not exist', { shippedOn: '2026-02-29' }, '422 shippedOn BAD_FORMAT'],
    ['a time to the minute', { dueAt: '2026-03-29T01:30Z' }, '422 dueAt BAD_FORMAT'],
    ['a time before the first year', { dueAt: '0001-01-01T00:00:00+00:01' }, '422 dueAt BAD_FORMAT'],
    ['a time after the last year', { dueAt: '9999-12-31T23:59:59-00:01' }, '422 dueAt BAD_FORMAT'],
    ['another scheme', { link: 'javascript:alert(1)' }, '422 link BAD_FORMAT'],
    ['an unknown word', { size: 'huge' }, '422 size NOT_ALLOWED'],
    ['a number beyond the range of integers', { pieces: 2 ** 31 }, '422 pieces TOO_LARGE'],
    ['too many decimals', { weight: 1.0001 }, '422 weight TOO_PRECISE'],
    ['a number that is too large for its precision', { weight: 1000 }, '422 weight TOO_LARGE'],
    ['null for a field that is not nullable', { insured: null }, '400 insured WRONG_TYPE'],
  ])('refuses %s', async (_, changes, expected) => {
    const { path } = await parcel();
    const { status, body } = await admin.patch(path, changes);
    const { details } = (body as { error: { details: { field: string; code: string }[] } }).error;
    expect(details.map(({ field, code }) => `${status} ${field} ${code}`)).toEqual([expected]);
  });

  it('answers a violated constraint on POST, PUT and PATCH, and documents the error', async () => {
    const taken = await parcel({ label: 'taken' });
    const other = await parcel();
    const answers = [
      await admin.post('/api/v2/parcels', { ...PARCEL, label: 'taken' }),
      await admin.put(other.path, { ...PARCEL, label: 'taken' }),
      await admin.patch(other.path, { label: 'taken' }),
    ];
    for (const { status, body } of answers)
      expect([status, body]).toMatchObject([
        409,
        { error: { code: 'PARCEL_ALREADY_EXISTS', details: [{ field: 'label', code: 'NOT_UNIQUE' }] } },
      ]);
    expect((await admin.patch(taken.path, { label: 'taken' })).status).toBe(200);
  });

  it('is read by TypeORM as its class declares, and saved as a new version', async () => {
    const { id, path } = await parcel({ label: 'by TypeORM' });
    const parcels = app.app.nest.get(DataSource).getRepository(Parcel);
    const { createdAt, updatedAt, version, ...row } = await parcels.findOneByOrFail({ id });
    expect({ ...row }).toEqual({ ...PARCEL, id, label: 'by TypeORM' });
    expect([version, createdAt, updatedAt]).toEqual([1, expect.stringMatching(/Z$/), createdAt]);
    await parcels.save({ ...row, shippedOn: '2026-12-31', dueAt: '2026-12-31T00:00:00.000Z', weight: 3.5 });
    const saved = await admin.get(path);
    expect(saved.headers.get('etag')).toContain('-2"');
    expect(saved.body).toMatchObject({
      shippedOn: '2026-12-31',
      dueAt: '2026-12-31T00:00:00.000Z',
      weight: 3.5,
    });
    expect(await parcels.countBy({ id, weight: 3.5, dueAt: '2026-12-31T00:00:00.000Z' })).toBe(1);
  });
});
