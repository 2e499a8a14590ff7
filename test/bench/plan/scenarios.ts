import type { ApiClient } from '#testing/api-client.js';
import { until } from '#testing/until.js';

/** Files over which the scenarios run. */
const FILES = {
  'people.csv': 'name,age\nAda,36\nAlan,41\n',
  'data.xml': '<orders><order id="7">Tea</order></orders>',
  'data.json': '{"orders": [{"id": 7}]}',
};

interface Decided {
  type: string;
  action: string;
}

/** The view of a plan, as far as the scenarios read it. */
interface View {
  id: string;
  status: string;
  layers: string[][];
  tasks: { id: string; tool: string }[];
  decisions: Decided[];
  replans: number;
  approval_required: { decision_type: string; checkpoint_id: string } | null;
}

const task = (id: string, tool: string, args: object = {}, depends_on: string[] = []) => ({
  id,
  tool,
  arguments: args,
  depends_on,
});

/** Throws unless a scenario had the result that the seed defines. */
function verify(what: string, isTrue: boolean, view: unknown): void {
  if (!isTrue) throw new Error(`${what} does not hold: ${JSON.stringify(view).slice(0, 2_000)}`);
}

/** Follows a plan and answers each of its decisions until it ends. */
async function follow(
  client: ApiClient,
  id: string,
  answer: (view: View, count: number) => object,
): Promise<View> {
  const read = async () => (await client.get(`/api/plans/${id}`)).json as unknown as View;
  let seq = 0;
  for (let count = 0; ; count++) {
    const events = await client.events(id, ({ type }) => type === 'decision_required', seq);
    const last = events.at(-1)!;
    const view = await read();
    if (last.type !== 'decision_required') return view;
    seq = last.seq;
    await client.post(`/api/plans/${id}/commands`, answer(view, count));
  }
}

async function start(client: ApiClient, body: object): Promise<string> {
  const session_id = await client.sessionWith(FILES);
  return String((await client.post('/api/plans', { session_id, ...body })).json.id);
}

const approvalOf = ({ approval_required: open }: View, approved: boolean) => ({
  type: 'approval_response',
  checkpoint_id: open!.checkpoint_id,
  approved,
});

const perLayer = { ail: { decision_points: 'per_layer', agent: 'client' } };

/** An agent finds XML files and adds the parser (seed, 5.1). */
async function agentReplans(client: ApiClient): Promise<void> {
  const dag = { tasks: [task('list', 'list_inputs')] };
  const id = await start(client, { dag, config: perLayer });
  const view = await follow(client, id, (_, count) =>
    count === 0
      ? { type: 'replan_dag', new_requirement: 'parse xml', available_context: { name: 'data.xml' } }
      : { type: 'continue' },
  );
  const isAdded = view.tasks.some(({ tool }) => tool === 'parse_xml');
  const isLogged = view.decisions.some(({ type, action }) => type === 'ail' && action === 'replan_dag');
  verify('agentReplans', view.status === 'completed' && view.replans === 1 && isAdded && isLogged, view);
}

/** A person approves the last layer, or rejects it and the plan ends (seed, 5.2). */
async function personDecides(client: ApiClient): Promise<void> {
  const dag = {
    tasks: [
      task('read', 'read_input', { name: 'people.csv' }),
      task('parse', 'parse_csv', { text: { $from: 'read', path: '/text' } }, ['read']),
    ],
  };
  const config = { hil: { approval_required: 'always' } };
  for (const [isApproved, status] of [
    [true, 'completed'],
    [false, 'rejected'],
  ] as const) {
    const id = await start(client, { dag, config });
    const view = await follow(client, id, (open, count) => approvalOf(open, count === 0 || isApproved));
    const actions = view.decisions.map(({ action }) => action);
    const isLogged = actions.join() === (isApproved ? 'approve,approve' : 'approve,reject');
    verify('personDecides', view.status === status && isLogged, view);
  }
}

/** A plan that parses JSON finds XML too: its parser is added and runs in parallel with the other (seed, 5.3). */
async function discoveredFormats(client: ApiClient): Promise<void> {
  const dag = {
    tasks: [
      task('list', 'list_inputs'),
      task('read', 'read_input', { name: 'data.json' }, ['list']),
      task('parse', 'parse_json', { text: { $from: 'read', path: '/text' } }, ['read']),
    ],
  };
  const view = await follow(client, await start(client, { dag, config: perLayer }), (_, count) =>
    count === 0
      ? { type: 'replan_dag', new_requirement: 'parse xml', available_context: { name: 'data.xml' } }
      : { type: 'continue' },
  );
  const layerOf = (tool: string) => {
    const parser = view.tasks.find((each) => each.tool === tool);
    return view.layers.findIndex((ids) => parser !== undefined && ids.includes(parser.id));
  };
  const isParallel = layerOf('parse_json') > 0 && layerOf('parse_json') === layerOf('parse_xml');
  verify('discoveredFormats', view.status === 'completed' && isParallel, view);
}

/** Tools that ran in sequence become edges, and the next suggestion is more confident (seed, 5.4). */
async function learning(client: ApiClient): Promise<void> {
  const asked = { intent: 'parse csv', context: { name: 'people.csv' } };
  const confidence = async () => Number((await client.post('/api/plans/suggestions', asked)).json.confidence);
  const edgeCount = async () => {
    const { edges } = (await client.get('/api/tools/graph')).json as {
      edges: { from: string; to: string; count: number }[];
    };
    return edges.find(({ from, to }) => from === 'read_input' && to === 'parse_csv')?.count ?? 0;
  };
  const [before, count] = [await confidence(), await edgeCount()];
  const session_id = await client.sessionWith({ 'people.csv': FILES['people.csv'] });
  const dag = {
    tasks: [
      task('read', 'read_input', { name: 'people.csv' }),
      task('parse', 'parse_csv', { text: { $from: 'read', path: '/text' } }, ['read']),
    ],
  };
  const plan = { session_id, intent: 'parse csv', dag };
  await client.completed(String((await client.post('/api/plans', plan)).json.id));
  await until('the plan is learned from', edgeCount, (learned) => learned > count);
  const after = await confidence();
  verify('learning', after > before || before === 1, { before, after });
}

/** The four scenarios of adaptive plans from the seed. */
const SCENARIOS = { agentReplans, personDecides, discoveredFormats, learning };

/**
 * Runs the scenarios one after the other; returns the seconds of each.
 *
 * @throws Error if a scenario has another result
 */
export async function runScenarios(client: ApiClient): Promise<Record<string, number>> {
  const seconds: Record<string, number> = {};
  for (const [name, run] of Object.entries(SCENARIOS)) {
    const started = performance.now();
    await run(client);
    seconds[name] = Number(((performance.now() - started) / 1_000).toFixed(2));
  }
  return seconds;
}
