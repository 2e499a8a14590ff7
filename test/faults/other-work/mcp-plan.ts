import { OUTCOME_UNKNOWN } from '#plan/contract/tasks.js';
import type { ApiResponse } from '#testing/api-client.js';
import { randomUUID } from 'node:crypto';
import type { Findings } from '../findings.js';
import { FINAL } from '../drive-run.js';
import { checkRunLog, send, untilThere, type OtherWork, type WorkPlace } from './other-work.js';

/** The discovery of a dead worker is repeated after two minutes; a client that requests another one gets it sooner. */
const REFRESH_MS = 10_000;

/**
 * A plan that calls a tool with side effects of an MCP server. No call is made twice: a person is asked about an
 * interrupted call, and answers that it took effect.
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
    const config = { hil: { approval_required: 'never', deadline_seconds: 3_600 } };
    const started = await send(place, 'POST', '/api/plans', { session_id: session, dag: { tasks }, config });
    const id = String(started.json.id);
    await answerUntilEnd(place, id);
    return { id, check: (findings) => checkCalls(place, id, tokens, findings) };
  },
};

/** Registers the server, refreshes it until its tool is known, and approves the tool. */
async function register(place: WorkPlace): Promise<void> {
  const server = { name: 'counted', url: place.tool.url, side_effects: ['note'] };
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
  await send(place, 'POST', `${path}/approvals`, { tools: ['note'] });
}

/** Answers for each interrupted call that it took effect. */
async function answerUntilEnd(place: WorkPlace, runId: string): Promise<void> {
  const answered = new Set<string>();
  const unanswered = ({ json }: ApiResponse) =>
    (json.open_decisions as string[]).find((id) => !answered.has(id));
  for (;;) {
    const run = await untilThere(
      place,
      `/api/agents/runs/${runId}`,
      (answer) => FINAL.includes(String(answer.json.status)) || unanswered(answer) !== undefined,
    );
    const open = unanswered(run);
    if (!open) return;
    await send(place, 'POST', `/api/decisions/${open}/answer`, { action: 'done' });
    answered.add(open);
  }
}

async function checkCalls(
  { db, tool }: WorkPlace,
  runId: string,
  tokens: string[],
  findings: Findings,
): Promise<void> {
  await checkRunLog(db, runId, findings);
  const tasks = await db.task.findMany({ where: { runId, name: 'run_tool' } });
  for (const [n, token] of tokens.entries()) {
    const calls = tool.callsWith(token).length;
    findings.expect(calls <= 1, 'doubled', `called a tool ${calls} times`);
    const [task, ...more] = tasks.filter(
      ({ input }) => (input as { plan_task?: string }).plan_task === `note${n}`,
    );
    findings.expect(more.length === 0, 'doubled', `asked for note${n} ${tasks.length} times`);
    const isUnknown = (task?.error as { code?: string } | null)?.code === OUTCOME_UNKNOWN;
    findings.expect(task?.status === 'completed' || isUnknown, 'lost', `left note${n} undone`);
    findings.expect(calls === 1 || isUnknown, 'lost', 'has a result of a call that was never made');
  }
}
