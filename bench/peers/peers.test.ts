import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const load = (name: string): Promise<any> => import(`./${name}.mjs`); // oxlint-disable-line typescript/no-explicit-any -- plain JavaScript
const read = (...path: string[]): any => JSON.parse(readFileSync(join(import.meta.dirname, ...path), 'utf8')); // oxlint-disable-line typescript/no-explicit-any -- lock files

const ROW = {
  id: 7,
  name: 'Lamp',
  price: 49.9,
  category: 'lighting',
  inStock: true,
  rating: 4.25,
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};
/** The same as PostgreSQL's drivers and other servers give it. */
const SNAKE = {
  id: '7',
  name: 'Lamp',
  price: '49.90',
  category: 'lighting',
  in_stock: true,
  rating: '4.25',
  created_at: new Date(ROW.createdAt),
  updated_at: '2026-01-02T03:04:05.678+00:00',
};

const figures = (requestsPerSecond: number): object => ({
  requestsPerSecond,
  p50: 1,
  p99: 2,
  busy: 1,
  serverMicros: 10,
  databaseMicros: 5,
});
const RESULTS = [
  {
    name: 'get',
    title: 'Read by id',
    figures: { ours: figures(20_000), nestjs: figures(2000) },
    ratios: { nestjs: { work: 7.54, throughput: 10.2 } },
  },
  { name: 'page', title: 'Pages', error: 'the answers differ' },
];
const ABOUT = {
  name: 'peers',
  command: 'npm run bench:peers',
  cpus: { server: '0', load: '1' },
  products: 100_000,
};

describe('the benchmark of peers (issue 9)', () => {
  it('takes a product for the same however a server writes it', async () => {
    const { productOf } = await load('peer');
    expect(productOf(SNAKE)).toEqual(ROW);
    expect(productOf(ROW)).toEqual(ROW);
    expect(productOf({ ...SNAKE, rating: null }).rating).toBeNull();
  });

  it('shows both answers where they differ in a field or in the total', async () => {
    const { checkSame, questions } = await load('questions');
    const { ours } = await load('ours');
    const [{ dialect }] = (await load('peers')).peers;
    const page = questions.find(({ name }: { name: string }) => name === 'page');
    const left = { name: 'ours', dialect: ours, body: { data: [ROW], pagination: { total: 41 } } };
    const right = (row: object, total: number): object => ({
      name: 'other',
      dialect,
      body: { data: [row], total },
    });
    expect(() => checkSame(page, left, right(SNAKE, 41))).not.toThrow();
    expect(() => checkSame(page, left, right(SNAKE, 40))).toThrow(/differ\n +ours .*41[^]*other .*40/);
    expect(() => checkSame(page, left, right({ ...SNAKE, price: '49.91' }, 41))).toThrow('49.91');
  });

  it('asks every peer each question, and no two peers have one name', async () => {
    const { peers } = await load('peers');
    const { questions } = await load('questions');
    const context = {
      ids: [7],
      products: 2000,
      categories: [{ name: 'home & garden', products: 40 }],
      random: () => 0.9,
    };
    for (const { dialect } of peers)
      for (const { name, asked } of questions) {
        const [one] = asked(context);
        expect(dialect[name](one)).toEqual(
          expect.objectContaining({ path: expect.stringMatching(/^\/\S+$/) }),
        );
      }
    const names = peers.map(({ name }: { name: string }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('installs what lock files name, with their integrity', async () => {
    const { peers } = await load('peers');
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.map(({ name }) => name).sort()).toEqual(
      peers.map(({ name }: { name: string }) => name).sort(),
    );
    for (const { name, packages } of peers) {
      const { packages: locked } = read(name, 'package-lock.json');
      const { dependencies, devDependencies } = read(name, 'package.json');
      expect(locked[''].dependencies).toEqual(dependencies);
      expect(locked[''].devDependencies).toEqual(devDependencies);
      const unsafe = Object.entries<{ integrity?: string }>(locked).filter(
        ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
      );
      expect(unsafe).toEqual([]);
      for (const each of packages) expect(Object.keys(locked)).toContain(`node_modules/${each}`);
    }
  });

  it('has no figures where a server gave no answer in a load', async () => {
    const { summary } = await load('measure');
    const [peer] = (await load('peers')).peers;
    const round = { ours: figures(20_000), [peer.name]: figures(2000) };
    expect(summary([round], [peer]).ratios[peer.name]).toEqual({ throughput: 10, work: 1 });
    const silent = { ...round, [peer.name]: figures(0) };
    expect(() => summary([round, silent], [peer])).toThrow(`${peer.name} gave no answer in time`);
  });

  it('commits only what a run of all peers and cases shows', async () => {
    const { reportName } = await load('report');
    const { parse } = await load('options');
    const known = [{ name: 'nestjs' }];
    const nameOf = (...args: string[]): string => reportName(parse(args, known, [{ name: 'get' }]));
    expect(nameOf()).toBe('peers');
    expect(nameOf('--rounds', '5')).toBe('peers');
    expect(nameOf('--only', 'nestjs')).toBe('peers-partial');
    expect(nameOf('--case', 'get')).toBe('peers-partial');
    expect(nameOf('--smoke')).toBe('peers-smoke');
    expect(() => nameOf('--only', 'rails')).toThrow('--only rails: there are nestjs');
    expect(() => nameOf('--rounds', 'x')).toThrow('--rounds takes a whole number');
  });

  it('tells on its page and in its plot how far ahead, what failed and what is missing', async () => {
    const { markdown } = await load('report');
    const { peersChart } = await load('chart');
    const [peer, other] = (await load('peers')).peers;
    const participants = [
      { peer, installed: { versions: { '@nestjs/core': '12.5.1' } } },
      { peer: other, absent: 'npm ci failed: ETARGET' },
    ];
    const page = markdown(RESULTS, participants, ABOUT);
    expect(page).toMatch(/NestJS, Express, TypeORM \| +7\.5 · 10 \| FAILED/);
    expect(page).toContain('- Pages: the answers differ');
    expect(page).toContain(`- ${other.title} could not be installed: npm ci failed: ETARGET`);
    expect(page).toContain('@nestjs/core 12.5.1');
    const plot = peersChart(RESULTS, participants, '100,000 products');
    expect(plot).toContain('>7.5<');
    expect(plot).not.toContain('NaN');
    expect(plot).not.toContain(other.title);
  });
});
