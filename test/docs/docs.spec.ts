import { settingsOfApps } from '#config/settings.js';
import { endpoints, scopeOf, type Endpoint } from '#catalogue/endpoints.js';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = process.cwd();
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...['document', 'book', 'article', 'change', 'plan', 'knowledge', 'engine'].map(
    (name) => `libs/${name}/README.md`,
  ),
  'apps/studio/README.md',
  'libs/locales/README.md',
  'libs/verbatim/README.md',
  'test/UNSTEADY.md',
  'test/eval/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== 'REQUIREMENTS.md')
    .map((name) => join('docs', name)),
];

/** Anchors as GitHub derives them from headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ +(.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Text that is not code. */
const proseOf = (markdown: string) => markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

function deadLinks(page: string): string[] {
  const links = [...proseOf(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? join(root, page) : resolve(root, dirname(page), path);
      if (!existsSync(target)) return true;
      if (anchor === undefined || statSync(target).isDirectory()) return false;
      return !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
    });
}

/** Name → default as docs/SETTINGS.md writes it, from the schemas. */
function settingsOfCode(): Record<string, string> {
  const enough = { DATABASE_URL: 'postgres://localhost/x', STORAGE_DIR: '/x' };
  const defaults: Record<string, unknown> = Object.assign(
    {},
    ...Object.values(settingsOfApps).map((schema) => schema.parse(enough)),
  );
  const names = Object.values(settingsOfApps).flatMap((schema) => Object.keys(schema.shape));
  return Object.fromEntries(
    names.map((name) => [
      name,
      name in enough || defaults[name] === undefined ? '—' : String(defaults[name]),
    ]),
  );
}

function settingsOfPage(): Record<string, string> {
  return Object.fromEntries(
    [...read('docs/SETTINGS.md').matchAll(/^\| `(\w+)` \| `?([^|`]+?)`? \|/gm)].map((match) => [
      match[1]!,
      match[2]!,
    ]),
  );
}

const apps = Object.keys(settingsOfApps);
const groups: Record<string, string[]> = {
  all: apps,
  'all but the gateway': apps.filter((app) => app !== 'gateway'),
};
/** Name → apps that read it, as the page has them. */
const readersOfPage = () =>
  Object.fromEntries(
    [...read('docs/SETTINGS.md').matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|/gm)].map(
      ([, name, readers]) => [name!, [...(groups[readers!] ?? readers!.split(', '))].sort()],
    ),
  );
const readersOfCode = () =>
  Object.fromEntries(
    Object.keys(settingsOfCode()).map((name) => [
      name,
      Object.entries(settingsOfApps)
        .filter(([, schema]) => name in schema.shape)
        .map(([app]) => app)
        .sort(),
    ]),
  );

const tracked = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).stdout.trim().split('\n');
const isCode = (path: string) =>
  /\.(?:[cm]?[jt]sx?|sql|sh|ya?ml|json|prisma|example)$|(?:^|\/)(?:Dockerfile|Caddyfile)/.test(path) &&
  !path.startsWith('docs/') &&
  path !== 'package-lock.json';
/** Every identifier, setting, code and name in the sources. */
const wordsOfCode = () => new Set(tracked.filter(isCode).flatMap((path) => read(path).match(/\w+/g) ?? []));

/** Names in the pages that are not in the tree: a generated page, files of users, values of other software, rejected alternatives. */
const FOREIGN = new Set([
  'docs/REQUIREMENTS.md',
  'deploy/secrets/openai_api_key',
  'docs/api/readme.md',
  'docs/openapi.json',
  'parentbased_traceidratio',
  'interruptBefore',
  'importedStyles',
]);
const FILE =
  /^[\w@/.-]+\.(?:[cm]?[jt]sx?|sql|sh)$|^(?:apps|libs|test|scripts|deploy|prisma|docs|\.ci)\/[\w/.-]+$/;
/** A setting, a code, or an identifier of several words. */
const WORD = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$|^[a-z]+_[a-z_]+$|^[a-z]+[A-Z]\w+$/;

/**
 * Whether the tree has the file, the folder, or a file with that name without its extension; `x.spec.ts` matches any
 * name.
 */
function isInTree(name: string): boolean {
  if (/^x?\./.test(name)) return tracked.some((path) => path.endsWith(name.replace(/^x/, '')));
  const path = name.replace(/^\.\/|\/$/g, '');
  return tracked.some(
    (each) => each === path || each.endsWith(`/${path}`) || /^[/.]/.test(after(each, path)),
  );
}
const after = (text: string, start: string) => (text.startsWith(start) ? text.slice(start.length) : '');

describe('the documentation', () => {
  it('names only existing files, settings, codes and identifiers', () => {
    const words = wordsOfCode();
    const unknown = pages.flatMap((page) =>
      [...read(page).matchAll(/`([^`\n]+)`/g)]
        .map(([, name]) => name!.replace(/\(\)$/, ''))
        .filter((name) => (FILE.test(name) ? !isInTree(name) : WORD.test(name) && !words.has(name)))
        .filter((name) => !FOREIGN.has(name))
        .map((name) => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('has generated parts that match the code', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'scripts/docs.js'), '--check'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
  });

  it.each(pages)('%s has no dead link', (page) => {
    expect(deadLinks(page)).toEqual([]);
  });

  it.each(pages)('%s names only existing npm scripts', (page) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(page).matchAll(/\bnpm (?:run )?(?:--silent )?([a-z][\w:-]*)/g)]
      .filter(([command, name]) => command.startsWith('npm run') || ['start', 'test'].includes(name!))
      .map((match) => match[1]!);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('lists the settings of libs/config with their defaults in docs/SETTINGS.md and in .env.example', () => {
    const settings = settingsOfCode();
    expect(settingsOfPage()).toEqual(settings);
    expect(readersOfPage()).toEqual(readersOfCode());
    const example = [...read('.env.example').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]!);
    expect(Object.keys(settings).filter((name) => !example.includes(name))).toEqual([]);
  });

  it('lists in docs/SECURITY.md every operation whose scope differs from that of its method', () => {
    const rows = [
      ...read('docs/SECURITY.md').matchAll(
        /^\| (?:`(read|admin)`|(any)).*? \| (`(?:GET|POST|PATCH|DELETE) .+) \|$/gm,
      ),
    ];
    const named = rows.flatMap(([, scope, any, operations]) =>
      [...operations!.matchAll(/`([^`]+)`/g)].map(([, operation]) => `${scope ?? any} ${operation}`),
    );
    const exceptions = Object.values<Endpoint>(endpoints).filter(
      (endpoint) =>
        !endpoint.open &&
        !endpoint.admin &&
        scopeOf(endpoint) !== (endpoint.method === 'GET' ? 'read' : 'write'),
    );
    const expected = exceptions.map(
      (endpoint) => `${scopeOf(endpoint)} ${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(named.sort()).toEqual(expected.sort());
  });

  it('names in docs/SECURITY.md only existing specs and test titles', () => {
    const specs = tracked.filter((path) => path.endsWith('.spec.ts'));
    const titles = specs.map((path) => read(path).replaceAll("\\'", "'")).join('\n');
    const isSpec = (name: string) => {
      const path = name.replace(/\.spec\.ts$/, '');
      return specs.some(
        (spec) => spec.startsWith(`${path}/`) || `/${spec}`.replace(/\..*/, '').endsWith(`/${path}`),
      );
    };
    const cells = [...read('docs/SECURITY.md').matchAll(/^\| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm)].slice(1);
    const unknown = cells.flatMap(([, cell]) => [
      ...[...cell!.matchAll(/(?<=^|; |, )`([\w/.-]+)`(?!\w)/g)]
        .map(([, name]) => name!)
        .filter((name) => !isSpec(name)),
      ...[...cell!.matchAll(/\*([^*]+)\*/g)]
        .map(([, title]) => title!)
        .filter((title) => !title.split('…').every((part) => titles.includes(part.trim()))),
    ]);
    expect(unknown).toEqual([]);
  });

  it('starts with the two commands', () => {
    const commands = [...read('README.md').matchAll(/^```sh\n([\s\S]*?)\n```/gm)].map((match) => match[1]);
    expect(commands.slice(0, 2)).toEqual(['npm install && npm run demo', 'npm install && npm test']);
  });

  it('has small pictures', () => {
    const images = readdirSync(join(root, 'docs/images'));
    const limit = (name: string): number => (name.endsWith('.gif') ? 2_000_000 : 300_000);
    const large = images.filter((name) => statSync(join(root, 'docs/images', name)).size > limit(name));
    expect(large).toEqual([]);
  });
});
