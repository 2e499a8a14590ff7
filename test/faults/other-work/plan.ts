import type { Findings } from '../findings.js';
import { checkRunLog, runEnded, send, untilThere, type OtherWork, type WorkPlace } from './other-work.js';

const FILES = { 'people.csv': 'name,age\nAda,36\nAlan,41\n' };
const task = (id: string, tool: string, args: Record<string, unknown>) => ({
  id,
  tool,
  arguments: args,
  depends_on: [],
});
/** Three layers; the last task of them writes a file. */
const DAG = {
  tasks: [
    task('list', 'list_inputs', {}),
    task('read', 'read_input', { name: { $from: 'list', path: '/files/0/name' } }),
    task('parse', 'parse_csv', { text: { $from: 'read', path: '/text' } }),
    task('make', 'convert_markdown', { markdown: { $from: 'read', path: '/text' }, format: 'docx' }),
  ],
};

/**
 * Number of commands. A command whose gateway dies after storing it passes no further commit points when repeated, so
 * several are sent.
 */
const COMMANDS = 3;

/**
 * A plan whose layers a person approves, and that gets a command to replan for a requirement that no tool matches: each
 * tool's result is stored once, no tool runs afterwards, and each command is executed once.
 */
export const planWork: OtherWork = {
  name: 'plan',
  async drive(place) {
    const session = String((await send(place, 'POST', '/api/sessions', {})).json.id);
    const form = new FormData();
    for (const [name, text] of Object.entries(FILES)) form.append('file', new Blob([text]), name);
    await send(place, 'POST', `/api/sessions/${session}/inputs`, form);
    const started = await send(place, 'POST', '/api/plans', {
      session_id: session,
      intent: 'list the people',
      dag: DAG,
      config: { hil: { approval_required: 'always' } },
    });
    const id = String(started.json.id);
    for (let given = 0; given < COMMANDS; given++)
      await send(place, 'POST', `/api/plans/${id}/commands`, { type: 'replan_dag', new_requirement: 'zzz' });
    await approve(place, id);
    await runEnded(place, id);
    return { id, check: (findings) => checkPlan(place, id, session, findings) };
  },
};

type PlanAnswer = { status: string; approval_required: { checkpoint_id: string } | null };

/** Approves each layer when its question opens. */
async function approve(place: WorkPlace, id: string): Promise<void> {
  const answered = new Set<string>();
  for (;;) {
    const { json } = await untilThere(place, `/api/plans/${id}`, (answer) => {
      const { status, approval_required: asked } = answer.json as PlanAnswer;
      const isOver = ['completed', 'failed', 'cancelled', 'rejected'].includes(status);
      return isOver || (asked !== null && !answered.has(asked.checkpoint_id));
    });
    const asked = (json as PlanAnswer).approval_required;
    if (asked === null) return;
    const { checkpoint_id } = asked;
    const given = { type: 'approval_response', checkpoint_id, approved: true };
    await send(place, 'POST', `/api/plans/${id}/commands`, given);
    answered.add(checkpoint_id);
  }
}

async function checkPlan(
  { db }: WorkPlace,
  runId: string,
  sessionId: string,
  findings: Findings,
): Promise<void> {
  await checkRunLog(db, runId, findings);
  const tools = await db.task.findMany({ where: { runId, name: 'run_tool' } });
  const open = tools.filter(({ status }) => status !== 'completed');
  findings.expect(open.length === 0, 'lost', `left ${open.length} tools undone`);
  const wanted = DAG.tasks.length;
  const kind = tools.length > wanted ? 'doubled' : 'lost';
  findings.expect(tools.length === wanted, kind, `asked for ${tools.length} tools, not ${wanted}`);
  const late = await db.$queryRaw<{ id: string }[]>`
    SELECT task_id AS id FROM fault_late_attempts WHERE run_id = ${runId}`;
  findings.expect(late.length === 0, 'doubled', `ran ${late.length} tools after their results were stored`);
  const told = await db.runEvent.count({ where: { runId, type: 'task_complete' } });
  findings.expect(told === wanted, 'doubled', `told of ${told} results, not ${wanted}`);
  const decisions = await db.runEvent.findMany({ where: { runId, type: 'plan_decision' } });
  const followed = decisions.filter(({ data }) => (data as { type?: string }).type === 'command').length;
  findings.expect(
    followed === COMMANDS,
    followed > COMMANDS ? 'doubled' : 'lost',
    `followed ${followed} commands, not ${COMMANDS}`,
  );
  const exports = await db.export.count({ where: { sessionId } });
  findings.expect(exports === 1, exports > 1 ? 'doubled' : 'lost', `wrote ${exports} files, not 1`);
  const lesson = await db.toolLesson.count({ where: { runId } });
  findings.expect(lesson <= 1, 'doubled', `has ${lesson} lessons`);
}
