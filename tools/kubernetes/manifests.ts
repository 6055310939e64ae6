import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Container, PodSpec, Service } from 'kubernetes-types/core/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';

/** The values that differ from one installation to another. */
export interface Installation {
  readonly name: string;
  readonly image: string;
  /** Changes with each release: a job cannot be changed. */
  readonly release: string;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly adminEmail: string;
  /** Of the network that the balancer's addresses are of. */
  readonly trustProxy: string;
  readonly redisUrl: string;
  /** The secret with `database-url`, `jwt` and `admin-password`. */
  readonly secret: string;
  /** The secret with `database-url` of the role that owns the schema; only the job has it. */
  readonly ownerSecret: string;
}

export type Manifest =
  | Deployment
  | HorizontalPodAutoscaler
  | Job
  | NetworkPolicy
  | PodDisruptionBudget
  | Service;

const PORT = 3000;
const METRICS_PORT = 9464;
const SECRETS = '/run/secrets/service';
/** Longer than endpoints take to forget a pod that stops. */
const SHUTDOWN_DELAY_MS = 5_000;

const SECURED: Container['securityContext'] = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

const podOf = (secret: string, container: Container): PodSpec => ({
  automountServiceAccountToken: false,
  securityContext: {
    runAsNonRoot: true,
    // The user `node` of the image.
    runAsUser: 1000,
    fsGroup: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  containers: [
    {
      ...container,
      securityContext: SECURED,
      volumeMounts: [{ name: 'secrets', mountPath: SECRETS, readOnly: true }],
    },
  ],
  volumes: [{ name: 'secrets', secret: { secretName: secret, defaultMode: 0o440 } }],
});

const env = (values: Readonly<Record<string, string>>): Container['env'] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

/** The files of an installation, by name. The compiler checks them against Kubernetes' own schemas. */
export function manifests(installation: Installation): Readonly<Record<string, Manifest>> {
  return {
    deployment: deployment(installation),
    migrations: migrations(installation),
    service: service(installation),
    'disruption-budget': disruptionBudget(installation),
    autoscaler: autoscaler(installation),
    'network-policy': networkPolicy(installation),
  };
}

/** V8 takes half of a container's memory for its heap: 512 MiB. */
const MEMORY = '1Gi';

const labelsOf = ({ name }: Installation): Record<string, string> => ({ 'app.kubernetes.io/name': name });

function deployment(installation: Installation): Deployment {
  const { name, image, secret, adminEmail, trustProxy, redisUrl } = installation;
  const labels = labelsOf(installation);
  const settings = env({
    DATABASE_URL_FILE: `${SECRETS}/database-url`,
    DATABASE_MIGRATE: 'false',
    JWT_SECRET_FILE: `${SECRETS}/jwt`,
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD_FILE: `${SECRETS}/admin-password`,
    REDIS_URL: redisUrl,
    TRUST_PROXY: trustProxy,
    SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS),
    METRICS_PORT: String(METRICS_PORT),
  });
  const probe = (path: string): Container['livenessProbe'] => ({
    httpGet: { path: `/health/${path}`, port: 'http' },
    timeoutSeconds: 3,
  });
  const pod = podOf(secret, {
    name,
    image,
    env: settings,
    ports: [
      { name: 'http', containerPort: PORT },
      { name: 'metrics', containerPort: METRICS_PORT },
    ],
    // Until it runs for the first time the others wait.
    startupProbe: { ...probe('live'), periodSeconds: 1, failureThreshold: 60 },
    livenessProbe: { ...probe('live'), periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: { ...probe('ready'), periodSeconds: 2, failureThreshold: 1 },
    resources: { requests: { cpu: '500m', memory: '256Mi' }, limits: { memory: MEMORY } },
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      selector: { matchLabels: labels },
      // One more before one less: a rolling update loses no request.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels },
        spec: {
          ...pod,
          // The delay, and 10 s for what is running.
          terminationGracePeriodSeconds: SHUTDOWN_DELAY_MS / 1000 + 15,
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: labels },
            },
          ],
        },
      },
    },
  };
}

/** Runs before the deployment is updated; instances of the last release serve meanwhile. */
function migrations({ name, image, release, ownerSecret }: Installation): Job {
  const pod = podOf(ownerSecret, {
    name: 'migrations',
    image,
    command: ['node', 'dist/src/migrate.js'],
    env: env({ DATABASE_URL_FILE: `${SECRETS}/database-url` }),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
  });
  const labels = { 'app.kubernetes.io/name': `${name}-migrations` };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${name}-migrations-${release}`, labels },
    spec: {
      backoffLimit: 2,
      ttlSecondsAfterFinished: 86_400,
      template: { metadata: { labels }, spec: { ...pod, restartPolicy: 'Never' } },
    },
  };
}

function service(installation: Installation): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: installation.name, labels: labelsOf(installation) },
    spec: { selector: labelsOf(installation), ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  };
}

function disruptionBudget(installation: Installation): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: installation.name, labels: labelsOf(installation) },
    spec: { maxUnavailable: 1, selector: { matchLabels: labelsOf(installation) } },
  };
}

/** By processor time, which is what a request takes of an instance; see `docs/metrics.md`. */
function autoscaler({ name, minReplicas, maxReplicas }: Installation): HorizontalPodAutoscaler {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas,
      maxReplicas,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
        },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
    },
  };
}

/** Requests and metrics come in; PostgreSQL, Redis and name servers are reached, and nothing else. */
function networkPolicy(installation: Installation): NetworkPolicy {
  const { name } = installation;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name },
    spec: {
      podSelector: { matchLabels: labelsOf(installation) },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [{ port: 'http' }, { port: 'metrics' }] }],
      egress: [
        { ports: [{ port: 5432 }, { port: 6379 }] },
        {
          ports: [
            { port: 53, protocol: 'UDP' },
            { port: 53, protocol: 'TCP' },
          ],
        },
      ],
    },
  };
}
