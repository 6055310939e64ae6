import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { parse } from 'yaml';

import { listSettings } from '../../packages/core/src/config/read-config.js';

const read = (path: string): string => readFileSync(path, 'utf8');

type Manifest = { readonly kind: string; readonly [name: string]: unknown };
type Model = new (manifest: never) => { validate(): void };

/** Validators generated from the OpenAPI document of Kubernetes. */
const KINDS: Readonly<Record<string, Model>> = {
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
};

/** @throws Error if Kubernetes would refuse the manifest */
function validate(manifest: Manifest): void {
  const Kind = KINDS[manifest.kind];
  if (!Kind) throw new Error(`add a validator for manifests of the kind ${manifest.kind}`);
  new Kind(manifest as never).validate();
}

const manifests = readdirSync('deploy/kubernetes').map((name) => join('deploy/kubernetes', name));

interface Peer {
  readonly namespace: Readonly<Record<string, string>>;
  readonly pod: Readonly<Record<string, string>>;
}
interface Selector {
  readonly matchLabels: Readonly<Record<string, string>>;
}
interface Policy {
  readonly ingress: readonly {
    readonly ports: readonly { readonly port: string }[];
    readonly from?: readonly { readonly namespaceSelector: Selector; readonly podSelector: Selector }[];
  }[];
  readonly egress: readonly { readonly ports: readonly { readonly port: number }[] }[];
}
interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly { readonly ports?: readonly { readonly name: string }[] }[];
  };
}

const policy = (): Policy => (parse(read('deploy/kubernetes/network-policy.yaml')) as { spec: Policy }).spec;
const deployment = () =>
  parse(read('deploy/kubernetes/deployment.yaml')) as { spec: { template: PodTemplate } };
const containers = () => deployment().spec.template.spec.containers;

const matches = ({ matchLabels }: Selector, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value);

/** Whether the network policy lets a pod connect to a port of the service. */
const isAdmitted = (name: string, { namespace, pod }: Peer): boolean =>
  policy().ingress.some(
    ({ ports, from }) =>
      ports.some(({ port }) => port === name) &&
      (!from ||
        from.some((peer) => matches(peer.namespaceSelector, namespace) && matches(peer.podSelector, pod))),
  );

describe('the deployment files', () => {
  it.each(manifests)('pass validation by the schema of Kubernetes: %s', (path) => {
    const manifest = parse(read(path)) as Manifest;
    validate(manifest);
    // Makes sure that the validator refuses a wrong manifest.
    expect(() => {
      validate({ ...manifest, spec: 'none' });
    }).toThrow(/spec/);
  });

  it('let only Prometheus read the metrics, and everybody use the service', () => {
    const prometheus = {
      namespace: { 'kubernetes.io/metadata.name': 'monitoring' },
      pod: { 'app.kubernetes.io/name': 'prometheus' },
    };
    const stranger = { namespace: { 'kubernetes.io/metadata.name': 'default' }, pod: {} };
    const elsewhere = { ...prometheus, namespace: stranger.namespace };
    const other = { ...prometheus, pod: stranger.pod };
    const peers = [prometheus, stranger, elsewhere, other];
    expect(peers.map((peer) => isAdmitted('metrics', peer))).toEqual([true, false, false, false]);
    expect(peers.map((peer) => isAdmitted('http', peer))).toEqual([true, true, true, true]);
    // Each port of the deployment is in the policy.
    const ports = containers().flatMap((container) => container.ports ?? []);
    expect(ports.map(({ name }) => isAdmitted(name, prometheus))).toEqual([true, true]);
  });

  it.each([
    ['PostgreSQL', 5432],
    ['PgBouncer', 6432],
    ['Redis', 6379],
    ['mails over TLS', 465],
    ['the submission of mails', 587],
    ['traces over OTLP', 4318],
    ['DNS', 53],
  ])('let the service connect to %s', (_title, port) => {
    expect(policy().egress.some(({ ports }) => ports.some((one) => one.port === port))).toBe(true);
  });

  it('let the service connect to nothing else', () => {
    const ports = policy().egress.flatMap(({ ports }) => ports.map(({ port }) => port));
    expect(ports.every((port) => [5432, 6432, 6379, 465, 587, 4318, 53].includes(port))).toBe(true);
    expect(policy().egress.every(({ ports }) => ports.length > 0)).toBe(true);
  });

  it('scrape the service under the job of the alert rules', () => {
    const rules = read('deploy/prometheus/alerts.yaml').matchAll(/\bjob="([^"]+)"/g);
    const jobs = [...new Set([...rules].map(([, job]) => job))];
    expect(jobs).toHaveLength(1);
    const compose = parse(read('compose.production.yaml'), { merge: true }) as {
      configs: { prometheus: { content: string } };
    };
    const texts = [
      ...['prometheus.yaml', 'kubernetes.yaml'].map((name) => read(`deploy/prometheus/${name}`)),
      compose.configs.prometheus.content,
    ];
    for (const text of texts) {
      const { scrape_configs } = parse(text) as { scrape_configs: readonly { job_name: string }[] };
      expect(scrape_configs.map(({ job_name }) => job_name)).toEqual(jobs);
    }
  });

  it('select the pods and the port of the deployment for Prometheus', () => {
    const [scrape] = (
      parse(read('deploy/prometheus/kubernetes.yaml')) as {
        scrape_configs: { relabel_configs: { source_labels: string[]; regex?: string; action?: string }[] }[];
      }
    ).scrape_configs;
    const [keep] = scrape?.relabel_configs ?? [];
    const { labels } = deployment().spec.template.metadata;
    const values = containers().flatMap(({ ports = [] }) =>
      ports.map(({ name }) => `${labels['app.kubernetes.io/name']};${name}`),
    );
    expect(keep).toMatchObject({ action: 'keep', regex: 'service;metrics' });
    expect(values.filter((value) => value === keep?.regex)).toHaveLength(1);
  });

  it('set only environment variables that exist', () => {
    const names = manifests.flatMap((path) =>
      [...read(path).matchAll(/- name: ([A-Z_]+)\n/g)].map(([, name = '']) => name.replace(/_FILE$/, '')),
    );
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(listSettings().map(({ name }) => name)).toContain(name);
  });

  it.each([
    ['compose.production.yaml', /^ +# open: .+\n +REGISTRATION: open$/m],
    ['deploy/kubernetes/deployment.yaml', /^ +# open: .+\n +- name: REGISTRATION\n +value: open$/m],
    ['.env.example', /^# closed: .+\n#REGISTRATION=open$/m],
  ])('say who may register: %s', (path, lines) => {
    expect(read(path)).toMatch(lines);
  });

  it.each(['compose.yaml', 'compose.production.yaml'])('follow the Compose Specification: %s', (path) => {
    const schema = JSON.parse(read('test/support/schemas/compose-spec.json')) as object;
    const ajv = new Ajv({ strict: false, validateSchema: false, formats: { duration: true, uri: true } });
    const isValid = ajv.compile(schema);
    const file = parse(read(path), { merge: true }) as object;
    expect([isValid(file), isValid.errors]).toEqual([true, null]);
    expect(isValid({ ...file, services: { one: { imagine: 'x' } } })).toBe(false);
  });

  it('make HAProxy answer its own errors in the form of the service, with a code from the catalogue', () => {
    const lines = read('deploy/haproxy/10-instances.cfg').matchAll(
      /^ {2}http-error status (\d+) content-type application\/json string '(.+?)'(?: hdr Retry-After 1)?$/gm,
    );
    const answers = [...lines].map(([, status, body = '']) => [Number(status), JSON.parse(body)] as const);
    expect(answers.map(([status]) => status)).toEqual([400, 408, 502, 503, 504]);
    const catalogue = read('packages/core/docs/errors.md');
    for (const [status, answer] of answers) {
      const { code } = (answer as { error: { code: string } }).error;
      expect(answer).toEqual({ error: { code, message: expect.any(String) as string, status } });
      expect(catalogue).toContain(`\`${code}\``);
    }
  });
});
