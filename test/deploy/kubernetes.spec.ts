import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { apps, isKnown, isSecret, isWiring, sourceOf } from './settings.js';

const root = process.cwd();
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Kustomization {
  resources: string[];
  configMapGenerator: { name: string; literals: string[] }[];
}
interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec: {
    replicas?: number;
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    podSelector?: Selector;
    egress?: { to?: { ipBlock?: { cidr: string; except?: string[] } }[]; ports: { port: number }[] }[];
    scaleTargetRef?: { name: string };
    triggers?: { metadata: { query: string } }[];
  };
}
interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: 'In'; values: string[] }[];
}
interface Container {
  image: string;
  command: string[];
  env: { name: string; value: string }[];
  envFrom?: { configMapRef: { name: string } }[];
  securityContext: unknown;
  resources: { requests: unknown; limits: unknown };
}
interface PodSpec {
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  containers: Container[];
  initContainers?: Container[];
}

/** Whether a policy is for the pods of a deployment. */
function selects({ matchLabels = {}, matchExpressions = [] }: Selector, { spec }: Manifest): boolean {
  const { labels } = spec.template!.metadata;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key]!))
  );
}

describe('Kubernetes manifests', () => {
  const folder = 'deploy/kubernetes';
  const kustomization = (name: string) =>
    parse(read(`${folder}/${name}/kustomization.yaml`)) as Kustomization;
  const manifestsIn = (path: string) =>
    read(path)
      .split(/^---$/m)
      .map((text) => parse(text, { merge: true }) as Manifest);
  const base = kustomization('base').resources.flatMap((file) => manifestsIn(`${folder}/base/${file}`));
  const ofKind = (kind: string) => base.filter((manifest) => manifest.kind === kind);
  const deployments = ofKind('Deployment');
  const named = deployments.map((manifest): [string, Manifest] => [manifest.metadata.name, manifest]);

  it('are all listed in their kustomization', () => {
    for (const name of ['base', 'keda']) {
      const files = readdirSync(join(root, folder, name)).filter((file) => file !== 'kustomization.yaml');
      expect(
        kustomization(name)
          .resources.filter((file) => file !== '../base')
          .sort(),
      ).toEqual(files.sort());
    }
    expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual([
      'agent-runner',
      'converter',
      'gateway',
      'scanner',
      'tools',
      'validator',
    ]);
  });

  it.each(named)(
    '%s has labels that match its selector, its disruption budget and its service',
    (name, { spec }) => {
      const { labels } = spec.template!.metadata;
      expect(labels).toMatchObject(spec.selector!.matchLabels!);
      const budget = ofKind('PodDisruptionBudget').find(({ metadata }) => metadata.name === name)!;
      expect(labels).toMatchObject(budget.spec.selector!.matchLabels!);
      for (const service of ofKind('Service').filter(({ metadata }) => metadata.name === name))
        expect(labels).toMatchObject(service.spec.selector!);
    },
  );

  it.each(named)('%s conforms to the restricted profile and has memory limits', (_, { spec }) => {
    const pod = spec.template!.spec;
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources).toMatchObject({
        requests: { memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
      expect(container.image).toBe('scriptorium');
      expect(existsSync(join(root, sourceOf(container.command)))).toBe(true);
      expect(container.env.map(({ name }) => name).filter((name) => !isKnown(name))).toEqual([]);
    }
  });

  it('deny all traffic by default, and have network policies that select existing pods', () => {
    const policies = ofKind('NetworkPolicy');
    expect(policies.find(({ metadata }) => metadata.name === 'deny-all')?.spec.podSelector).toEqual({});
    for (const { spec } of policies) {
      const pods = deployments.filter((deployment) => selects(spec.podSelector!, deployment));
      expect(pods.length).toBeGreaterThan(0);
    }
  });

  it('allow every process port 443; processes that call addresses of tenants only at public addresses', () => {
    const rules = (deployment: Manifest) =>
      ofKind('NetworkPolicy')
        .filter(({ spec }) => selects(spec.podSelector!, deployment))
        .flatMap(({ spec }) => spec.egress ?? [])
        .filter(({ ports }) => ports.some(({ port }) => port === 443));
    const isPublic = ({ to = [] }: ReturnType<typeof rules>[number]) =>
      to.some(({ ipBlock }) => ipBlock?.except?.includes('10.0.0.0/8'));
    for (const [name, deployment] of named) {
      expect(rules(deployment)).toHaveLength(1);
      expect(rules(deployment).every(isPublic)).toBe(['gateway', 'tools'].includes(name));
    }
  });

  it.each(apps)('pass on every setting of $app, secrets as files', ({ app, names }) => {
    const { spec } = deployments.find(({ metadata }) => metadata.name === app)!;
    const [container] = spec.template!.spec.containers;
    expect(container!.envFrom).toEqual([{ configMapRef: { name: 'scriptorium-settings' } }]);
    const fixed = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
    const files = names.filter(isSecret).map((name) => [`${name}_FILE`, name.toLowerCase()]);
    for (const [name, file] of files) expect(fixed[name!]).toBe(`/run/secrets/scriptorium/${file}`);
    // Values of a container take precedence over the settings.
    expect(names.filter((name) => name in fixed && !isWiring(name))).toEqual([]);
  });

  it('have existing settings, among them the models', () => {
    const [{ name, literals }] = kustomization('base').configMapGenerator as [
      Kustomization['configMapGenerator'][number],
    ];
    expect(name).toBe('scriptorium-settings');
    const names = literals.map((literal) => literal.split('=')[0]!);
    expect(names.filter((each) => !isKnown(each) || isSecret(each))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['OPENAI_MODEL', 'OPENAI_EMBED_MODEL', 'MODEL_PRICES']));
  });

  it('use exactly the secrets that docs/OPERATIONS.md creates', () => {
    const made = [...read('docs/OPERATIONS.md').matchAll(/--from-file=(\w+)/g)].map((match) => match[1]!);
    const mounted = deployments
      .flatMap(({ spec }) => spec.template!.spec.containers.flatMap(({ env }) => env))
      .filter(({ name }) => name.endsWith('_FILE'))
      .map(({ value }) => value.split('/').at(-1)!);
    expect(made.sort()).toEqual([...new Set(mounted)].sort());
  });

  it('scale each worker by a query of PostgreSQL', () => {
    const objects = manifestsIn(`${folder}/keda/scaled-objects.yaml`).filter(
      ({ kind }) => kind === 'ScaledObject',
    );
    expect(objects.map(({ spec }) => spec.scaleTargetRef!.name).sort()).toEqual([
      'agent-runner',
      'converter',
      'scanner',
      'tools',
      'validator',
    ]);
    for (const { metadata, spec } of objects) {
      expect(spec.scaleTargetRef!.name).toBe(metadata.name);
      const { query } = spec.triggers![0]!.metadata;
      expect(query).toContain(metadata.name === 'agent-runner' ? 'FROM runs' : `queue = '${metadata.name}'`);
    }
  });
});
