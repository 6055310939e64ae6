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

describe('the deployment files', () => {
  it.each(manifests)('pass validation by the schema of Kubernetes: %s', (path) => {
    const manifest = parse(read(path)) as Manifest;
    validate(manifest);
    // Makes sure that the validator refuses a wrong manifest.
    expect(() => {
      validate({ ...manifest, spec: 'none' });
    }).toThrow(/spec/);
  });

  it('set only environment variables that exist', () => {
    const names = manifests.flatMap((path) =>
      [...read(path).matchAll(/- name: ([A-Z_]+)\n/g)].map(([, name = '']) => name.replace(/_FILE$/, '')),
    );
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(listSettings().map(({ name }) => name)).toContain(name);
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
