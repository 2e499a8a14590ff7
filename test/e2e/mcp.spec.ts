import type { ApiClient } from '#testing/api-client.js';
import { connectMcp, MCP_ERAS } from '#testing/mcp-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import type { Client, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { FILES, from, task } from './plan-bodies.js';

const TOOLS = [
  'abort_plan',
  'answer_decision',
  'approval_response',
  'continue_plan',
  'convert',
  'convert_markdown',
  'execute_plan',
  'get_run',
  'list_collections',
  'list_saved_plans',
  'replan',
  'run_saved_plan',
  'schedule_saved_plan',
  'search_knowledge',
  'search_tools',
  'suggest_plan',
  'write_document',
];
const files = Object.entries(FILES).map(([name, text]) => ({ name, text }));
const always = { hil: { approval_required: 'always' } };
const list = { tasks: [task('list', 'list_inputs')] };

describe.each(MCP_ERAS)('P12 /mcp with protocol version $era', ({ mode }) => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let client: Client;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
    client = await connectMcp(stack.url, tenant.key!, mode);
  });
  afterAll(() => client.close());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of many tools, read at many depths
  type Answer = any;
  const call = async (name: string, args: Record<string, unknown>, by = client): Promise<Answer> => {
    const { structuredContent, content, isError } = await by.callTool({ name, arguments: args });
    const told = JSON.parse((content[0] as { text: string }).text) as Answer;
    if (isError === true) return { refused: told };
    expect(told).toEqual(structuredContent);
    return told;
  };

  it('P12 lists the tools with schemas and descriptions', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS);
    for (const { name, description, inputSchema, outputSchema } of tools) {
      expect([name, inputSchema.type, outputSchema?.type, (description ?? '').length > 20]).toEqual([
        name,
        'object',
        'object',
        true,
      ]);
    }
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(reading.sort()).toEqual([
      'get_run',
      'list_collections',
      'list_saved_plans',
      'search_knowledge',
      'search_tools',
      'suggest_plan',
    ]);
    const acting = tools.filter(
      ({ annotations }) => annotations?.destructiveHint && annotations.openWorldHint,
    );
    expect(acting.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['execute_plan', 'run_saved_plan']),
    );
    expect(JSON.stringify(tools).length).toBeLessThan(30_000);
  });

  it('P12 accepts files that are not text', async () => {
    const base64 = Buffer.from([0x50, 0x4b, 3, 4, 0, 255, 254]).toString('base64');
    const pictures = [{ name: 'data.bin', base64 }];
    const plan = await call('execute_plan', { files: pictures, dag: list, wait_seconds: 120 });
    expect(plan.results).toMatchObject([{ status: 'completed' }]);
    expect(plan.results[0].preview).toContain('data.bin');
    const both = [{ name: 'data.bin', base64, text: 'x' }];
    expect((await client.callTool({ name: 'execute_plan', arguments: { files: both } })).isError).toBe(true);
  });

  it('P12 finds tools and suggests a plan without running it', async () => {
    const found = await call('search_tools', { query: 'parse xml', limit: 1 });
    expect(found.items.map(({ name }: { name: string }) => name)).toEqual(['parse_xml']);
    const suggested = await call('suggest_plan', { intent: 'list the input files' });
    expect(suggested.tasks.map(({ tool }: { tool: string }) => tool)).toContain('list_inputs');
  });

  it('P12 runs a plan to its end in one call, and reports progress', async () => {
    const progress: string[] = [];
    const answer = await client.callTool(
      { name: 'execute_plan', arguments: { files, dag: list, wait_seconds: 120 } },
      { onprogress: ({ message }) => progress.push(message ?? ''), timeout: 150_000 },
    );
    expect(answer.structuredContent).toMatchObject({ status: 'completed', layers: [['list']] });
    expect(progress).toContain('task complete: list');
  });

  it('P12 lists saved plans with their parameters, and runs one', async () => {
    const parameters = [{ name: 'file', kind: 'file' }];
    const dag = { tasks: [task('read', 'read_input', { name: { $parameter: 'file' } })] };
    const name = `Read a file ${mode ?? ''}`;
    const { id } = (await tenant.post('/api/saved-plans', { name, parameters, dag })).json;
    const { items } = await call('list_saved_plans', {});
    expect(items).toMatchObject([{ id, name, parameters }]);
    const asked = { saved_plan_id: id, files, parameters: { file: files[0]!.name }, wait_seconds: 120 };
    expect(await call('run_saved_plan', asked)).toMatchObject({ status: 'completed' });
    const refused = await call('run_saved_plan', { ...asked, parameters: {} });
    expect(refused.refused.code).toBe('invalid_request');
    const saved_plan = { saved_plan_id: id, parameters: { file: 'a.csv' } };
    const planned = { name, saved_plan, cron: '0 3 * * *', time_zone: 'Europe/Warsaw' };
    const scheduled = await call('schedule_saved_plan', planned);
    expect(scheduled).toMatchObject({ cron: '0 3 * * *', saved_plan, next_at: scheduled.next_times[0] });
    expect(scheduled.next_times).toHaveLength(10);
    const twice = { name: 'schedule_saved_plan', arguments: { ...planned, every_seconds: 60 } };
    expect((await client.callTool(twice)).isError).toBe(true);
    await tenant.request('DELETE', `/api/schedules/${String(scheduled.id)}`);
  });

  it('P12 calls with the same idempotency_key start a plan once, also concurrently', async () => {
    const asked = { files, dag: list, idempotency_key: crypto.randomUUID(), wait_seconds: 120 };
    const answers = await Promise.all([call('execute_plan', asked), call('execute_plan', asked)]);
    const started = answers.filter(({ refused }) => !refused);
    expect(
      answers
        .map(({ refused }) => refused?.code ?? '')
        .sort()
        .at(-1),
    ).toMatch(/^$|idempotency_under_way/);
    const again = await call('execute_plan', asked);
    expect(new Set([...started, again].map(({ workflow_id }) => workflow_id)).size).toBe(1);
    expect(again).toMatchObject({ status: 'completed' });
    const other = await call('execute_plan', { ...asked, files: [] });
    expect(other.refused.code).toBe('idempotency_key_reused');
  });

  it('P12 a cancelled call stops waiting; its plan continues, and can be found and ended', async () => {
    const session_id = String((await tenant.post('/api/sessions', {})).json.id);
    const stop = new AbortController();
    const config = { ail: { decision_points: 'per_layer', agent: 'client' } };
    const args = { session_id, dag: list, config, wait_seconds: 300 };
    const held = client.callTool(
      { name: 'execute_plan', arguments: args },
      { signal: stop.signal, onprogress: () => stop.abort(new Error('enough')), timeout: 150_000 },
    );
    await expect(held).rejects.toThrow();
    const { items } = (await tenant.get(`/api/agents/runs?session_id=${session_id}`)).json as {
      items: Answer[];
    };
    expect(items).toHaveLength(1);
    const workflow_id = items[0].id;
    await tenant.events(workflow_id, ({ type }) => type === 'decision_required');
    const ended = await call('abort_plan', { workflow_id, reason: 'enough', wait_seconds: 120 });
    expect(ended).toMatchObject({ status: 'rejected' });
  });

  it('P2 a pause immediately returns the question; P5 only the person at the client can approve', async () => {
    const dag = {
      tasks: [...list.tasks, task('read', 'read_input', { name: from('list', '/files/0/name') })],
    };
    const asked = await call('execute_plan', { files, dag, config: always, wait_seconds: 120 });
    expect(asked.approval_required).toMatchObject({
      workflow_id: asked.workflow_id,
      checkpoint_id: expect.any(String),
      decision_type: 'hil',
      description: expect.stringContaining('What your answer does'),
      context: { next_layer: [{ task_id: 'list' }] },
      options: ['approve', 'reject'],
    });
    const { workflow_id } = asked;
    const respond = (view: Answer, by = client) => {
      const { checkpoint_id } = view.approval_required;
      return call('approval_response', { workflow_id, checkpoint_id, approved: true, wait_seconds: 120 }, by);
    };
    expect((await respond(asked)).refused.code).toBe('person_required');
    const { decision_id } = asked.approval_required;
    const byModel = await call('answer_decision', { decision_id, answer: { approved: true } });
    expect(byModel.refused.code).toBe('person_required');

    const answers: ElicitResult[] = [
      { action: 'decline' },
      { action: 'accept', content: { approved: true } },
      { action: 'accept', content: { approved: false, feedback: 'enough' } },
    ];
    const shown: string[] = [];
    const attended = await connectMcp(stack.url, tenant.key!, mode, ({ params }: ElicitRequest) => {
      shown.push(params.message);
      return answers.shift()!;
    });
    if (mode === 'legacy') {
      expect((await respond(asked, attended)).refused.code).toBe('person_required');
      await call('abort_plan', { workflow_id, wait_seconds: 120 });
      return attended.close();
    }
    expect((await respond(asked, attended)).refused.code).toBe('person_required');
    const again = await respond(asked, attended);
    expect(again.approval_required.context.next_layer).toMatchObject([{ task_id: 'read' }]);
    expect((await call('get_run', { run_id: workflow_id })).approval_required).toEqual(
      again.approval_required,
    );
    const ended = await respond(again, attended);
    expect(ended).toMatchObject({ status: 'rejected', error: { code: 'plan_rejected' } });
    expect((await respond(again, attended)).refused.code).toBe('decision_answered');
    expect(shown).toEqual(Array(3).fill(expect.stringContaining('list')));
    await attended.close();
  });

  it('P5 a client’s model cannot turn off approval', async () => {
    for (const hil of [{ approval_required: 'never' }, { on_timeout: 'approve' }]) {
      const asked = { name: 'execute_plan', arguments: { dag: list, config: { hil } } };
      expect((await client.callTool(asked)).isError).toBe(true);
    }
  });

  it('P4 continue_plan, replan and abort_plan steer a plan', async () => {
    const config = { ail: { decision_points: 'per_layer', agent: 'client' } };
    const asked = await call('execute_plan', { files, dag: list, config, wait_seconds: 120 });
    expect(asked.approval_required.decision_type).toBe('ail');
    const { workflow_id } = asked;
    const wait_seconds = 120;
    const requirement = { new_requirement: 'parse xml', available_context: { name: 'data.xml' } };
    const anew = await call('replan', { workflow_id, ...requirement, wait_seconds });
    expect(anew.tasks.map(({ tool }: { tool: string }) => tool)).toContain('parse_xml');
    const next = await call('continue_plan', { workflow_id, wait_seconds });
    expect(next.approval_required.decision_type).toBe('ail');
    const ended = await call('abort_plan', { workflow_id, reason: 'enough', wait_seconds });
    expect(ended).toMatchObject({ status: 'rejected', approval_required: null });
  });

  it('converts markdown, and the file can be read as a resource', async () => {
    const asked = {
      markdown: '# Tea\n\nHoney.\n',
      format: 'docx',
      title: 'Tea',
      idempotency_key: crypto.randomUUID(),
      wait_seconds: 120,
    };
    const made = await call('convert_markdown', asked);
    expect(await call('convert_markdown', asked)).toEqual(made);
    expect(made).toMatchObject({ status: 'completed', error: null, file: { name: 'Tea.docx' } });
    const { contents } = await client.readResource({ uri: made.file.uri });
    const [{ blob, mimeType }] = contents as [Answer];
    expect(mimeType).toContain('wordprocessingml');
    expect(Buffer.from(String(blob), 'base64').subarray(0, 2).toString()).toBe('PK');
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(made.file.uri);
    const { content } = await client.callTool({ name: 'convert_markdown', arguments: asked });
    expect(content.slice(1)).toMatchObject([
      { type: 'resource_link', uri: made.file.uri, name: 'Tea.docx', mimeType },
    ]);
  });

  it.each(['write_document', 'convert'])(
    'writes a document; the manuscript and its ledger are resources: %s',
    async (tool) => {
      const sources = [{ name: 'notes.md', text: '# Notes\n\nThe tea was hot.\n' }];
      const idempotency_key = crypto.randomUUID();
      const asked = { files: sources, title: 'Notes', idempotency_key, wait_seconds: 0 };
      const { run, resources } = await call(tool, asked);
      expect((await call(tool, asked)).run.id).toBe(run.id);
      expect(run).toMatchObject({ kind: 'document', id: expect.any(String) });
      await tenant.completed(run.id);
      const read = await call('get_run', { run_id: run.id });
      expect(read).toMatchObject({ run: { status: 'completed' }, decisions: [], resources });
      const [manuscript, ledger] = await Promise.all(
        resources.map(async (uri: string) => (await client.readResource({ uri })).contents[0]),
      );
      expect(manuscript.text).toContain('The tea was hot.');
      expect(JSON.parse(ledger.text)).toMatchObject({ coverage: 1 });
    },
  );

  it('answers questions of runs and searches knowledge, with the problems of the API', async () => {
    const unknown = await call('answer_decision', { decision_id: 'dec_0', answer: {} });
    expect(unknown.refused.code).toBe('not_found');
    const collection = await tenant.post('/api/knowledge/collections', { name: 'Tea' });
    const { items } = await call('list_collections', { title: 'Te' });
    expect(items).toMatchObject([{ id: collection.json.id, name: 'Tea' }]);
    const hits = await call('search_knowledge', { collections: [items[0].id], query: 'tea' });
    expect(hits).toMatchObject({ hits: [] });
    expect((await call('search_knowledge', { collections: ['col_0'], query: 'x' })).refused.code).toBe(
      'not_found',
    );
    const wrong = await client.callTool({ name: 'suggest_plan', arguments: { intent: 7 } });
    expect([wrong.isError, JSON.stringify(wrong.content)]).toEqual([true, expect.stringContaining('intent')]);
  });

  it('treats another tenant’s resources as unknown', async () => {
    const other = await stack.tenant();
    const asked = await call('execute_plan', { files, dag: list, config: always, wait_seconds: 120 });
    const { workflow_id } = asked;
    const { checkpoint_id, decision_id } = asked.approval_required;
    const stranger = await connectMcp(stack.url, other.key!, mode);
    const tries: [string, Record<string, unknown>][] = [
      ['get_run', { run_id: workflow_id }],
      ['continue_plan', { workflow_id }],
      ['abort_plan', { workflow_id }],
      ['replan', { workflow_id, new_requirement: 'x' }],
      ['approval_response', { workflow_id, checkpoint_id }],
      ['answer_decision', { decision_id, answer: { approved: true } }],
      ['execute_plan', { session_id: asked.session_id, dag: list }],
      ['write_document', { session_id: asked.session_id }],
    ];
    for (const [name, args] of tries)
      expect([name, (await call(name, args, stranger)).refused?.code]).toEqual([name, 'not_found']);
    const uri = `scriptorium://sessions/${asked.session_id}/manuscript`;
    await expect(stranger.readResource({ uri })).rejects.toThrow(/Session not found/);
    expect((await stranger.listResources()).resources).toEqual([]);
    await stranger.close();
    await call('abort_plan', { workflow_id, wait_seconds: 120 });
  });

  it('respects the scopes of the key, and writes the audit log', async () => {
    const made = await tenant.post('/api/keys', { name: 'reader', scopes: ['read'] });
    const reader = await connectMcp(stack.url, String(made.json.key), mode);
    expect((await call('search_tools', {}, reader)).items.length).toBeGreaterThan(5);
    expect((await call('execute_plan', { dag: list }, reader)).refused.code).toBe('forbidden');
    await reader.close();
    const { items } = (await tenant.get('/api/audit')).json as { items: Answer[] };
    const denied = items.find(({ actor, outcome }) => actor === made.json.id && outcome === 'denied');
    expect(denied).toMatchObject({ action: 'startPlan' });
  });
});
