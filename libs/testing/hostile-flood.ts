import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiClient } from './api-client.js';
import { startEndlessModel, streamedPiece, type EndlessModel } from './endless-model.js';

const SPIN_SQL = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
const SPIN_JSONATA = '($spin := function($n) { $spin($n + 1) }; $spin(0))';
const MANY_TAGS = '<div><table><tr><td>a &amp; b'.repeat(1_000_000);
const NESTED_YAML = '- '.repeat(30_000);
const NO_SECRETS = '-eyJ'.repeat(1_000_000);

/** Calls that take long, fill memory or crash a parser's process. */
const CALLS: { tool: string; arguments: object }[] = [
  { tool: 'parse_yaml', arguments: { text: NESTED_YAML } },
  { tool: 'query_tables', arguments: { tables: {}, sql: SPIN_SQL } },
  { tool: 'transform_json', arguments: { data: null, expression: SPIN_JSONATA } },
  { tool: 'read_input', arguments: { name: 'tags.html' } },
  { tool: 'read_input', arguments: { name: 'no-secrets.txt' } },
];

/** A plan with `count` hostile calls in one layer. */
const hostileTasks = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `h${n}`, depends_on: [], ...CALLS[n % CALLS.length]! }));

/** Number of MCP servers that accept requests and never answer. */
const SLOW_SERVERS = 20;

/** Runs a plan with three concurrent calls. @returns its ID, and the milliseconds from its request to its last event */
export async function runSmallPlan(client: ApiClient): Promise<{ id: string; ms: number }> {
  const session_id = await client.sessionWith({ 'notes.md': '# Notes\n\nTea.\n' });
  const tasks = [
    { id: 'read', tool: 'read_input', arguments: { name: 'notes.md' }, depends_on: [] },
    { id: 'parse', tool: 'parse_yaml', arguments: { text: 'tea: 2' }, depends_on: [] },
    {
      id: 'shape',
      tool: 'transform_json',
      arguments: { data: [1, 2], expression: '$sum($)' },
      depends_on: [],
    },
  ];
  const config = { hil: { approval_required: 'never' } };
  const started = performance.now();
  const { json } = await client.post('/api/plans', { session_id, dag: { tasks }, config });
  const id = String(json.id);
  await client.completed(id);
  return { id, ms: performance.now() - started };
}

/** Load with which one tenant can slow down others: hostile calls, hanging MCP servers, and a run with an endless model. */
export class HostileFlood {
  private constructor(
    private readonly model: EndlessModel,
    private readonly hanging: Server,
  ) {}

  static async open(): Promise<HostileFlood> {
    const hanging = createServer((request) => void request.resume()).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    return new HostileFlood(await startEndlessModel(streamedPiece('word '.repeat(200))), hanging);
  }

  /** Settings of a stack that uses the endless model. */
  get env(): Record<string, string> {
    return {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: this.model.baseUrl,
      OPENAI_MODEL: 'endless',
      EGRESS_ALLOW_PRIVATE: 'true',
    };
  }

  /**
   * Registers the hanging MCP servers, and starts the hostile plans and a run that calls the endless model.
   *
   * @param calls number of hostile calls in each plan
   * @returns IDs of the runs
   */
  async start(tenant: ApiClient, plans: number, calls: number): Promise<string[]> {
    const { port } = this.hanging.address() as AddressInfo;
    const begun: string[] = [];
    for (let n = 0; n < SLOW_SERVERS; n++)
      await tenant.post('/api/mcp/servers', { name: `slow-${n}`, url: `http://127.0.0.1:${port}` });
    for (let n = 0; n < plans; n++) {
      const session_id = await tenant.sessionWith({ 'tags.html': MANY_TAGS, 'no-secrets.txt': NO_SECRETS });
      const body = {
        session_id,
        dag: { tasks: hostileTasks(calls) },
        config: { hil: { approval_required: 'never' } },
      };
      const { status, json } = await tenant.post('/api/plans', body);
      if (status !== 202) throw new Error(`the plan was refused: ${JSON.stringify(json)}`);
      begun.push(String(json.id));
    }
    const session = await tenant.sessionWith({ 'notes.md': '# Notes\n\nTea.\n' });
    begun.push((await tenant.startRun(session)).id);
    return begun;
  }

  close(): void {
    this.model.close();
    this.hanging.closeAllConnections();
    this.hanging.close();
  }
}
