import { randomUUID } from 'node:crypto';
import type { Findings } from '../findings.js';
import { FINAL } from '../drive-run.js';
import { checkRunLog, runEnded, send, untilThere, type OtherWork, type WorkPlace } from './other-work.js';

/** A look of a worker that died is made again after two minutes; a client that asks for another has it sooner. */
const REFRESH_MS = 10_000;

/**
 * A plan that calls a tool of an MCP server which has side effects. A call that broke off before its result was stored may be made
 * again, or end the plan by saying that nobody knows; after that it may not.
 */
export const mcpPlanWork: OtherWork = {
  name: 'plan with an MCP server',
  async drive(place) {
    await register(place);
    const session = String((await send(place, 'POST', '/api/sessions', {})).json.id);
    const tokens = [randomUUID(), randomUUID()];
    const tasks = tokens.map((token, n) => ({
      id: `note${n}`,
      tool: 'counted/note',
      arguments: { token },
      depends_on: n === 0 ? [] : ['note0'],
    }));
    const config = { hil: { approval_required: 'never' } };
    const started = await send(place, 'POST', '/api/plans', { session_id: session, dag: { tasks }, config });
    const id = String(started.json.id);
    await runEnded(place, id);
    return { id, check: (findings) => checkCalls(place, id, tokens, findings) };
  },
};

/** Registers the server, and has it looked at until its tool is known. */
async function register(place: WorkPlace): Promise<void> {
  const server = { name: 'counted', url: place.tool.url };
  const path = `/api/mcp/servers/${String((await send(place, 'POST', '/api/mcp/servers', server)).json.id)}`;
  let asked = Date.now();
  await untilThere(place, path, ({ json }) => {
    if (json.status === 'ready') return true;
    if (Date.now() > asked + REFRESH_MS) {
      asked = Date.now();
      void place.api.post(`${path}/refresh`).catch(() => undefined);
    }
    return false;
  });
}

async function checkCalls(
  { db, tool }: WorkPlace,
  runId: string,
  tokens: string[],
  findings: Findings,
): Promise<void> {
  const run = await db.run.findUniqueOrThrow({ where: { id: runId } });
  const isUnknown = JSON.stringify(run.error ?? '').includes('whether it took effect is not known');
  if (isUnknown) findings.expect(FINAL.includes(run.status), 'lost', `is ${run.status}`);
  else await checkRunLog(db, runId, findings);
  const tasks = await db.task.findMany({ where: { runId, name: 'run_tool' } });
  for (const [n, token] of tokens.entries()) {
    const calls = tool.callsWith(token);
    const task = tasks.find(({ input }) => (input as { plan_task?: string }).plan_task === `note${n}`);
    const stored = task?.completedAt?.getTime() ?? Infinity;
    const late = calls.filter((at) => at > stored).length;
    findings.expect(late === 0, 'doubled', `called a tool ${late} times after its result was stored`);
    const isDone = task?.status === 'completed';
    findings.expect(!isDone || calls.length > 0, 'lost', 'has a result of a call that was never made');
    if (!isUnknown) findings.expect(isDone, 'lost', `left note${n} undone`);
  }
}
