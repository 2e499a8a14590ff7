import type { Schemas } from '#catalogue/named-schemas.js';
import type { ApiClient } from '#testing/api-client.js';
import { diligentAnswer } from '#testing/diligent-model.js';
import { startModelStub, type ModelStub, type StubReply } from '#testing/model-stub.js';
import { fromWire, toWire } from '#testing/model-wire.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { cliEnv, succeedCli } from '#testing/cli.js';
import { until } from '#testing/until.js';
import { unzipSync } from 'fflate';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Files = Record<string, string>;
interface TakenOver {
  kept: number;
  written: number;
  added: string[];
  changed: string[];
  renamed: { from: string; to: string }[];
  removed: string[];
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
const note = (name: string, more = '') =>
  `# ${name}\n\nThe ${name.toLowerCase()} was checked on Monday.\n\n## Result of ${name}\n\n${name} works${more}.\n`;
const code = (number: number) => `// Part ${number}\nexport const part${number} = ${number} * 7;\n`;
const NOTES: Files = {
  'a.md': note('Pump'),
  'b.md': note('Valve'),
  'c.md': note('Tank'),
  'd.md': note('Hose'),
};
/** So many files that the offline writer validates several at once. */
const MANY: Files = {
  ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`part_${index + 10}.ts`, code(index)])),
  ...{ 'README.md': note('System'), 'notes/plan.md': note('Plan'), 'photo.svg': SVG },
};

/** X6: a run over changed inputs writes only what depends on them, and keeps the rest as people left it. */
describe('rebuilding only what changed', () => {
  let stack: LeasedStack;
  let stub: ModelStub;
  let client: ApiClient;
  let proposal: StubReply = {};

  beforeAll(async () => {
    stub = await startModelStub({
      // Only document runs have tools.
      respond: (request) => (request.tools ? toWire(diligentAnswer(fromWire(request.messages))) : proposal),
    });
    stack = await leasedStack('model', { model: stub.baseUrl });
    client = await stack.tenant();
  });
  afterAll(async () => {
    await stack.release();
    await stub.stop();
  });

  const write = async (session: string, inputs: object = {}) => {
    const run = await client.completed((await client.startRun(session, { ...inputs })).id);
    return run.progress!.details as { taken_over: TakenOver | null; coverage: number };
  };
  /** Makes the inputs of a session equal to the files. */
  const replaceInputs = async (session: string, before: Files, now: Files) => {
    for (const name of Object.keys(before).filter((known) => now[known] !== before[known]))
      await client.request('DELETE', `/api/sessions/${session}/inputs/${encodeURIComponent(name)}`);
    const fresh = Object.entries(now).filter(([name, text]) => before[name] !== text);
    if (fresh.length > 0) await client.upload(session, Object.fromEntries(fresh));
  };
  const accept = async (session_id: string, quote: string, replacement: string) => {
    proposal = { text: JSON.stringify({ replacement, note: null, cannot: null }) };
    const body = { session_id, selection: { quote }, instruction: 'Say it in other words.' };
    const { json } = await client.post('/api/changes', body);
    const path = `/api/changes/${String(json.run_id)}`;
    const read = async () => (await client.get(path)).json as unknown as Schemas['SelectionChange'];
    await until('the change is proposed', read, ({ state }) => state !== 'proposing');
    expect((await client.post(`${path}/accept`, {})).status).toBe(200);
  };

  it('gives without a model the document that a first run over the present files gives', async () => {
    const inputs = { without_model: true };
    const session = await client.sessionWith(MANY);
    expect((await write(session, inputs)).taken_over).toBeNull();
    const { 'part_12.ts': gone, 'part_30.ts': moved, ...rest } = MANY;
    const now: Files = {
      ...rest,
      'part_20.ts': `${MANY['part_20.ts']}// One more line\n`,
      'part_15b.ts': code(99),
      'part_31b.ts': moved!,
    };
    await replaceInputs(session, MANY, now);
    const { taken_over, coverage } = await write(session, { ...inputs, only_changed: true });
    expect(taken_over).toEqual({
      ...{ kept: 29, written: 3, added: ['part_15b.ts'], changed: ['part_20.ts'], removed: ['part_12.ts'] },
      renamed: [{ from: 'part_30.ts', to: 'part_31b.ts' }],
    });
    expect(coverage).toBe(1);
    expect(gone).toBeDefined();
    const fresh = await client.sessionWith(now);
    await write(fresh, inputs);
    expect(await client.manuscript(session)).toBe(await client.manuscript(fresh));
    expect(Buffer.from(await client.docx(session)).equals(await client.docx(fresh))).toBe(true);

    // Nothing has changed: the same document again.
    expect((await write(session, { ...inputs, only_changed: true })).taken_over).toMatchObject({
      kept: 32,
      written: 0,
    });
    expect(await client.manuscript(session)).toBe(await client.manuscript(fresh));
    // Another image is shown again at the end.
    const withImage = { ...now, 'second.svg': SVG };
    await replaceInputs(session, now, withImage);
    await write(session, { ...inputs, only_changed: true });
    expect(await client.manuscript(session)).toContain(
      '![photo.svg](photo.svg)\n\n![second.svg](second.svg)\n',
    );
  });

  it('sends a model only the changed sources, in their place', async () => {
    const session = await client.sessionWith(NOTES);
    await write(session);
    const before = await client.manuscript(session);
    const now = { ...NOTES, 'b.md': note('Valve', ' now') };
    await replaceInputs(session, NOTES, now);
    const sent = stub.requests.length;
    expect((await write(session, { only_changed: true })).taken_over).toMatchObject({
      kept: 3,
      changed: ['b.md'],
    });
    expect(await client.manuscript(session)).toBe(before.replace('Valve works.', 'Valve works now.'));
    const read = stub.requests
      .slice(sent)
      .flatMap(({ messages }) => JSON.stringify(messages).match(/\[file [^ ]* lines/g) ?? []);
    expect([...new Set(read)]).toEqual([expect.stringContaining('b.md')]);

    const calls = stub.requests.length;
    expect((await write(session, { only_changed: true })).taken_over).toMatchObject({ kept: 4, written: 0 });
    expect(stub.requests).toHaveLength(calls);
  });

  it('keeps accepted changes, also of an earlier rerun, and asks before it loses one', async () => {
    const session = await client.sessionWith(NOTES);
    await write(session, { without_model: true });
    await accept(session, 'The tank was checked on Monday.', 'The tank was looked at on Monday.');
    const edited = await client.manuscript(session);
    const inputs = { without_model: true, only_changed: true };
    const second = { ...NOTES, 'b.md': note('Valve', ' now') };
    await replaceInputs(session, NOTES, second);
    const { coverage } = await write(session, inputs);
    expect(coverage).toBeLessThan(1);
    expect(await client.manuscript(session)).toBe(edited.replace('Valve works.', 'Valve works now.'));

    const third = { ...second, 'c.md': note('Tank', ' again') };
    await replaceInputs(session, second, third);
    const asked = await client.startRun(session, inputs);
    await client.events(asked.id);
    expect(await client.run(asked.id)).toMatchObject({
      status: 'failed',
      error: { code: 'changes_would_be_lost', message: expect.stringContaining('c.md') },
    });
    expect(await client.manuscript(session)).toContain('The tank was looked at on Monday.');
    expect((await write(session, { ...inputs, discard_changes: true })).coverage).toBe(1);
    expect(await client.manuscript(session)).toContain('The tank was checked on Monday.');
  });

  it('shows the present version of a changed picture, and a picture that was missing before', async () => {
    const wide = SVG.replace('width="9"', 'width="90"');
    const text = '# Pump\n\n![Pump](pump.svg)\n\n![Valve](valve.svg)\n';
    const before: Files = { 'a.md': text, 'pump.svg': SVG };
    const session = await client.sessionWith(before);
    const { id } = await client.startRun(session, { without_model: true });
    const decision = await client.decision(id);
    await client.post(`/api/decisions/${decision.id}/answer`, { user_decisions: { 'valve.svg': 'skip' } });
    await client.completed(id);
    await replaceInputs(session, before, { 'a.md': text, 'pump.svg': wide, 'valve.svg': SVG });
    await write(session, { without_model: true, only_changed: true });
    const parts = Object.entries(unzipSync(await client.docx(session)));
    const pictures = parts.filter(([name]) => name.startsWith('word/media/'));
    const widthAt = (index: number) => Buffer.from(pictures[index]![1]).readUInt32BE(16);
    expect(pictures).toHaveLength(2);
    expect(widthAt(0)).toBeGreaterThan(widthAt(1));
  });

  it('asks before it loses a change when nothing can be kept, and keeps it after a rerun that was cancelled', async () => {
    const session = await client.sessionWith(NOTES);
    const inputs = { without_model: true, only_changed: true };
    const isRefused = async (more: object) => {
      const asked = await client.startRun(session, { ...inputs, ...more });
      await client.events(asked.id);
      expect(await client.run(asked.id)).toMatchObject({
        status: 'failed',
        error: { code: 'changes_would_be_lost' },
      });
    };
    await write(session, { without_model: true });
    await accept(session, 'The pump was checked on Monday.', 'The pump was looked at on Monday.');
    const second = { ...NOTES, 'b.md': note('Valve', ' now') };
    await replaceInputs(session, NOTES, second);
    await write(session, inputs);
    // Another policy keeps nothing; the change is one that the rerun before has kept.
    await isRefused({ policy: 'narrative' });

    await replaceInputs(session, second, { ...second, 'd.md': `${note('Hose')}\n![hose](hose.png)\n` });
    const { id } = await client.startRun(session, inputs);
    await until(
      'it asks',
      () => client.run(id),
      ({ status }) => status === 'needs_answer',
    );
    await client.post(`/api/agents/runs/${id}/cancel`, {});
    await until(
      'it is cancelled',
      () => client.run(id),
      ({ status }) => status === 'cancelled',
    );
    // So does a run that writes everything again, although the last document is as its run has left it.
    const plain = { session_id: session, inputs: { without_model: true } };
    const refused = await client.post('/api/agents/runs', plain);
    expect([refused.status, refused.json.code]).toEqual([409, 'changes_would_be_lost']);

    await replaceInputs(session, { ...second, 'd.md': '' }, second);
    expect((await write(session, inputs)).taken_over).toMatchObject({ kept: 4, written: 0 });
    expect(await client.manuscript(session)).toContain('The pump was looked at on Monday.');
    expect((await client.post('/api/agents/runs', plain)).json.code).toBe('changes_would_be_lost');
    await write(session, { without_model: true, discard_changes: true });
    expect(await client.manuscript(session)).toContain('The pump was checked on Monday.');
    await write(session, { without_model: true });
  });

  it('keeps a change of the document that a cancelled rerun replaced', async () => {
    const session = await client.sessionWith(NOTES);
    const inputs = { without_model: true, only_changed: true };
    await write(session, { without_model: true });
    await accept(session, 'The tank was checked on Monday.', 'The tank was looked at on Monday.');
    await replaceInputs(session, NOTES, { ...NOTES, 'd.md': `${note('Hose')}\n![hose](hose.png)\n` });
    const { id } = await client.startRun(session, inputs);
    const isAt = (wanted: string) =>
      until(
        `it is ${wanted}`,
        () => client.run(id),
        ({ status }) => status === wanted,
      );
    await isAt('needs_answer');
    await client.post(`/api/agents/runs/${id}/cancel`, {});
    await isAt('cancelled');
    await replaceInputs(session, { ...NOTES, 'd.md': '' }, NOTES);
    await write(session, inputs);
    expect(await client.manuscript(session)).toContain('The tank was looked at on Monday.');
  });

  it('is what scriptorium write --update does with the same folder', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'update-'));
    await mkdir(join(cwd, 'in'));
    for (const [name, text] of Object.entries(NOTES)) await writeFile(join(cwd, 'in', name), text);
    const args = ['write', 'in', '-o', 'o.docx', '--md', 'o.md', '--without-model', '--update'];
    const run = () => succeedCli(args, { cwd, env: cliEnv(client) });
    expect((await run()).stdout).not.toContain('Kept');
    const before = await readFile(join(cwd, 'o.md'), 'utf8');
    await writeFile(join(cwd, 'in/b.md'), note('Valve', ' now'));
    expect((await run()).stdout).toContain('  Kept 3 files as they were and wrote 1\n    Changed: b.md\n');
    expect(await readFile(join(cwd, 'o.md'), 'utf8')).toBe(
      before.replace('Valve works.', 'Valve works now.'),
    );
    await rm(cwd, { recursive: true });
  });
});
