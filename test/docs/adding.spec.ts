import { projectRoot } from '#embedded/project-root.js';
import { copyApps, type CopiedApps, type Replacement } from '#testing/copied-apps.js';
import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { TestStack } from '#testing/test-stack.js';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = projectRoot();

/** A line of the product, in a copy: where docs/ADDING.md says that it goes, and what it is put behind. */
const line = (file: string, from: RegExp, to: string): Replacement => ({ file, from, to });
const importing = (names: string, from: string) => `import { ${names} } from '${from}';\n`;

const CONTRACT = 'libs/contracts/src/kinds/registry';
const FACTS = 'libs/kinds/src/registry';
const RUNNER = 'apps/agent-runner/src/kinds';
const WORKER = 'apps/converter/src/main';

/** The three lines of a kind, in the order of the steps, for the kind of the tests. */
const OF_A_KIND: Record<string, Replacement[]> = {
  [CONTRACT]: [
    line(`${CONTRACT}.js`, /^/, importing('tinyKind', '#testing/tiny-kind/contract.js')),
    line(`${CONTRACT}.js`, /article: articleKind,/, 'article: articleKind, tiny: tinyKind,'),
  ],
  [FACTS]: [
    line(`${FACTS}.js`, /^/, importing('tinyFacts', '#testing/tiny-kind/facts.js')),
    line(`${FACTS}.js`, /$/, '\nregisterKindFacts(tinyFacts);\n'),
  ],
  [RUNNER]: [
    line(`${RUNNER}.js`, /^/, importing('TinyDefinition', '#testing/tiny-kind/definition.js')),
    line(
      `${RUNNER}.js`,
      /const definitions = \{/,
      'const definitions = { tiny: (services, { store }) => new TinyDefinition(store),',
    ),
  ],
};
/** The lines of a task: its handler, and the worker's list. */
const HANDLER = {
  'apps/converter/src/tiny-shout.handler.js': `import { TaskHandler } from '#queue/task-handler.js';
export class TinyShoutHandler {
  handle({ word }) { return Promise.resolve({ word: word.toUpperCase() }); }
}
TaskHandler('tiny_shout')(TinyShoutHandler);
`,
};
const OF_A_TASK = [
  line(`${WORKER}.js`, /^/, importing('TinyShoutHandler', './tiny-shout.handler.js')),
  line(`${WORKER}.js`, /BookExportHandler\]/, 'BookExportHandler, TinyShoutHandler]'),
];

/** The section of docs/ADDING.md with that heading. */
function section(heading: string): string {
  const page = readFileSync(join(root, 'docs/ADDING.md'), 'utf8');
  return page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))!;
}

/** What a process of a copy says when it is started and lacks a line. */
function refusal({ appsDir }: CopiedApps, app: string, { url }: TestDatabase): string {
  const env = { PATH: process.env['PATH'], DATABASE_URL: url, STORAGE_DIR: join(appsDir, 'objects') };
  const { status, stderr } = spawnSync(process.execPath, [join(appsDir, app, 'src/main.js')], {
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(status).toBe(1);
  return stderr;
}

/** The kind of the tests and its task, added to a copy of the product as docs/ADDING.md tells to. */
describe('a kind and a task are added by the lines that docs/ADDING.md names', () => {
  let database: TestDatabase;
  const copies: CopiedApps[] = [];
  const copyWith = async (replaced: Replacement[], added = {}) => {
    const copy = await copyApps(root, replaced, added);
    copies.push(copy);
    return copy;
  };
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await Promise.all(copies.map(({ remove }) => remove()));
    await database.drop();
  });

  it('each place is named', () => {
    for (const file of Object.keys(OF_A_KIND))
      expect(section('A kind')).toContain(file.replace(/^libs\/contracts\/src\//, ''));
    expect(section('A task')).toContain('apps/<worker>/src/main.ts');
    expect(section('A task')).toContain('apps/<worker>/src/<task-name>.handler.ts');
  });

  it('a process that lacks a line does not start, and says where it goes', async () => {
    const [contract, facts] = [OF_A_KIND[CONTRACT]!, OF_A_KIND[FACTS]!];
    const onlyContract = await copyWith(contract);
    expect(refusal(onlyContract, 'gateway', database)).toContain(
      `tiny has a contract only: add its line to ${FACTS}.ts`,
    );
    expect(refusal(onlyContract, 'agent-runner', database)).toContain(`${FACTS}.ts`);
    expect(refusal(await copyWith([...contract, ...facts]), 'agent-runner', database)).toContain(
      `${RUNNER}.ts`,
    );
    expect(refusal(onlyContract, 'converter', database)).toContain(
      "The queue converter lacks handlers: add a class with @TaskHandler('tiny_shout')",
    );
  });

  it('with all of them its runs are started, done by the worker, asked about and ended', async () => {
    const { appsDir } = await copyWith([...Object.values(OF_A_KIND).flat(), ...OF_A_TASK], HANDLER);
    const stack = await TestStack.start({ appsDir, fewProcesses: true });
    try {
      const tenant = await stack.tenant();
      const sessionId = (await tenant.post('/api/sessions', {})).json.id as string;
      const run = { session_id: sessionId, kind: 'tiny', inputs: { word: 'a' } };
      const runId = (await tenant.post('/api/agents/runs', run)).json.id as string;
      const decision = await tenant.decision(runId);
      await tenant.post(`/api/decisions/${decision.id}/answer`, { word: 'a' });
      await tenant.completed(runId);
      const words = await tenant.get(`/api/sessions/${sessionId}/results/tiny/words`);
      expect(words.text.split('\n')).toEqual(['a', 'A', 'chosen a', 'end']);
    } finally {
      await stack.stop();
    }
  });
});
