import { agentRunnerSettings, gatewaySettings, workerSettings } from '#config/settings.js';
import { secretSettings } from '#config/secret-files.js';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = process.cwd();
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const settings = new Set(
  [gatewaySettings, agentRunnerSettings, workerSettings].flatMap((schema) => Object.keys(schema.shape)),
);
const secret: readonly string[] = secretSettings;
/** Whether an app reads the variable: a setting, or the file of a secret one. */
const isKnown = (name: string) =>
  name === 'NODE_ENV' || settings.has(name) || (name.endsWith('_FILE') && secret.includes(name.slice(0, -5)));
const mainOf = (command: string[]) => command.find((word) => word.startsWith('dist/'))!;
const sourceOf = (main: string) => main.replace(/^dist\//, '').replace(/\.js$/, '.ts');

interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec: {
    replicas?: number;
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    podSelector?: { matchLabels?: Record<string, string> };
    scaleTargetRef?: { name: string };
    triggers?: { metadata: { query: string } }[];
  };
}
interface Container {
  image: string;
  command: string[];
  env: { name: string; value: string }[];
  securityContext: unknown;
  resources: { requests: unknown; limits: unknown };
}
interface PodSpec {
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  containers: Container[];
  initContainers?: Container[];
}

describe('Kubernetes manifests', () => {
  const folder = 'deploy/kubernetes';
  const kustomization = (name: string) =>
    parse(read(`${folder}/${name}/kustomization.yaml`)) as { resources: string[] };
  const manifestsIn = (path: string) =>
    read(path)
      .split(/^---$/m)
      .map((text) => parse(text, { merge: true }) as Manifest);
  const base = kustomization('base').resources.flatMap((file) => manifestsIn(`${folder}/base/${file}`));
  const ofKind = (kind: string) => base.filter((manifest) => manifest.kind === kind);
  const deployments = ofKind('Deployment');
  const named = deployments.map((manifest): [string, Manifest] => [manifest.metadata.name, manifest]);

  it('are all named by their kustomization', () => {
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
    '%s has labels that its selector, its disruption budget and its service match',
    (name, { spec }) => {
      const { labels } = spec.template!.metadata;
      expect(labels).toMatchObject(spec.selector!.matchLabels!);
      const budget = ofKind('PodDisruptionBudget').find(({ metadata }) => metadata.name === name)!;
      expect(labels).toMatchObject(budget.spec.selector!.matchLabels!);
      for (const service of ofKind('Service').filter(({ metadata }) => metadata.name === name))
        expect(labels).toMatchObject(service.spec.selector!);
    },
  );

  it.each(named)('%s keeps to the restricted profile and has limits', (_, { spec }) => {
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
      expect(existsSync(join(root, sourceOf(mainOf(container.command))))).toBe(true);
      expect(container.env.map(({ name }) => name).filter((name) => !isKnown(name))).toEqual([]);
    }
  });

  it('select only pods that exist by network policies, after denying everything', () => {
    const policies = ofKind('NetworkPolicy');
    expect(policies.find(({ metadata }) => metadata.name === 'deny-all')?.spec.podSelector).toEqual({});
    for (const { spec } of policies) {
      const wanted = spec.podSelector?.matchLabels ?? {};
      const pods = deployments.filter(({ spec: { template } }) =>
        Object.entries(wanted).every(([key, value]) => template!.metadata.labels[key] === value),
      );
      expect(pods.length).toBeGreaterThan(0);
    }
  });

  it('scale each worker by the truth in PostgreSQL', () => {
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
