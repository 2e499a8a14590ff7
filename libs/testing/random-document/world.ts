import type { DecisionRequest } from '#catalogue/decisions.js';
import { issueFingerprint, type ValidationIssue } from '#contracts/manuscript.js';
import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import type { WorkOrder } from '#document/prompts/work-order.js';
import { parseWorkOrder } from '../read-work-order.js';
import { failedTask, scan, succeeded, type TaskAnswers } from '../default-tasks.js';
import { callMalformed, callTools, say } from '../scripted-model.js';
import type { ManuscriptStore } from '#storage/manuscript-store.js';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import fc from 'fast-check';

export const INPUTS: Record<string, string> = {
  'a.md': 'alpha ![x](x.png)',
  'b.log': 'beta 1',
};
export const NAMES = Object.keys(INPUTS);
export const STEP_CAP = 16;

/** Possible action of the agent in a step; numbers select among the available items. */
type Action =
  | { do: 'write'; checkpoint: boolean }
  | { do: 'garble' }
  | { do: 'edit'; line: number }
  | { do: 'rollback'; pick: number }
  | { do: 'ask'; refs: string[] }
  | { do: PlainAction };
type PlainAction =
  'look' | 'checkpoint' | 'finish' | 'malformed' | 'half_malformed' | 'unknown_tool' | 'escape';

export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.boolean().map((checkpoint): Action => ({ do: 'write', checkpoint })) },
  { weight: 3, arbitrary: fc.constant<Action>({ do: 'finish' }) },
  { weight: 2, arbitrary: fc.nat(3).map((pick): Action => ({ do: 'rollback', pick })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 6 }).map((line): Action => ({ do: 'edit', line })) },
  {
    weight: 1,
    arbitrary: fc.subarray(['y.png', 'constructor', 'z.csv']).map((refs): Action => ({ do: 'ask', refs })),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom<PlainAction[]>(
        'look',
        'checkpoint',
        'malformed',
        'half_malformed',
        'unknown_tool',
        'escape',
      )
      .map((name): Action => ({ do: name })),
  },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'garble' }) },
);

/** Random scenario of a run. Lists of outcomes have one entry per task, used in order. */
export const world = fc.record({
  /** Number of chapters that are written well before the actions begin, so that actions also meet a finished manuscript. */
  chapters: fc.nat(NAMES.length),
  actions: fc.array(action, { maxLength: 5 }),
  /** Behaviour of the agent after its last action. */
  ending: fc.constantFrom('diligent', 'diligent', 'done', 'idle', 'malformed'),
  decisions: fc.array(fc.constantFrom('accept', 'retry', 'abort', 'lost'), { minLength: 1, maxLength: 4 }),
  conversions: fc.array(fc.constantFrom('ok', 'ok', 'ok', 'fail'), { minLength: 3, maxLength: 7 }),
  validatorFails: fc.array(fc.constantFrom(false, false, false, false, true), { minLength: 1, maxLength: 5 }),
  forgetsCheckpoints: fc.boolean(),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const chapterOf = (name: string) => `# ${name}\n\n${INPUTS[name]}\n`;
const writing = (name: string, checkpoint: boolean) =>
  callTools(
    ['read_file', { filename: name }],
    ['append_to_markdown', { content: chapterOf(name) }],
    ...(checkpoint ? [['create_checkpoint', { label: name }] as [string, Record<string, unknown>]] : []),
  );

function perform(step: Action, order: WorkOrder | null, checkpoints: string[]): AIMessage {
  switch (step.do) {
    case 'write':
      return writing(order?.current_file ?? 'a.md', step.checkpoint);
    case 'garble':
      return callTools(
        ['append_to_markdown', { content: 'invented' }],
        ['create_checkpoint', { label: 'g' }],
      );
    case 'edit':
      return callTools(['edit_markdown_line', { line_number: step.line, new_content: 'edited' }]);
    case 'rollback':
      return callTools(['rollback_to_checkpoint', { checkpoint_id: checkpoints[step.pick] ?? 'none.md' }]);
    case 'ask':
      return callTools(['request_human_input', { question: 'What now?', refs: step.refs }]);
    case 'look':
      return callTools(['list_files', {}], ['read_generated_file', { lines: 10 }]);
    case 'checkpoint':
      return callTools(['create_checkpoint', { label: 'again' }]);
    case 'finish':
      return say('Done.');
    case 'malformed':
      return callMalformed('append_to_markdown');
    case 'half_malformed': {
      const { tool_calls } = callTools(['list_files', {}]);
      const { invalid_tool_calls } = callMalformed('append_to_markdown');
      return new AIMessage({ content: '', tool_calls, invalid_tool_calls });
    }
    case 'unknown_tool':
      return callTools(['rm', { path: '/' }]);
    case 'escape':
      return callTools(['read_file', { filename: '../a.md' }]);
  }
}

/** Returns the agent of a world: it performs the actions, then the ending, with checkpoint IDs from its tool results. */
export function agentOf({ chapters, actions, ending }: World) {
  let visit = -chapters;
  const checkpoints = new Set<string>();
  return async ({ messages }: { messages: BaseMessage[] }): Promise<AIMessage> => {
    for (const { text } of messages) if (/^\d{8}_\d{6}_.*\.md$/.test(text)) checkpoints.add(text);
    const orderText = messages.findLast((message) => message.text.startsWith('WORK ORDER'))?.text ?? '';
    const order = parseWorkOrder(orderText);
    if (order?.last_checkpoint) checkpoints.add(order.last_checkpoint);
    if (visit < 0) return writing(NAMES.at(visit++)!, true);
    const step = actions[visit++];
    if (step) return perform(step, order, [...checkpoints]);
    if (ending === 'malformed') return perform({ do: 'malformed' }, order, []);
    if (ending === 'idle') return perform({ do: 'look' }, order, []);
    const isOpen = ending === 'diligent' && order?.current_file;
    return isOpen ? writing(order.current_file!, true) : say('Done.');
  };
}

type Verdict = Pick<TaskOutput<'validate_md'>, 'validation_passed' | 'validation_issues' | 'coverage'>;

/** Independent oracle: each source occurs once in the text, and nothing else except headings. */
function verdictOn(text: string, sources: string[], accepted: string[]): Verdict {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
  const expected = sources.map((name) => INPUTS[name]!);
  const issue = (rule: string, line_number: number): ValidationIssue => ({
    ...{ line_number, rule, rule_description: rule, message: rule, error_detail: null },
  });
  const missing = expected.filter((line) => !lines.includes(line));
  const extra = lines.filter((line, index) => !expected.includes(line) || lines.indexOf(line) !== index);
  const issues = [
    ...missing.map((line) => issue('missing', line.length)),
    ...extra.map((_, at) => issue('extra', at)),
  ];
  const open = issues.filter((found) => !accepted.includes(issueFingerprint(found)));
  const coverage = expected.length === 0 ? null : 1 - missing.length / expected.length;
  return { validation_passed: open.length === 0, validation_issues: open, coverage };
}

const inTurn = <T>(values: T[]) => {
  let next = 0;
  return (): T => values[next++ % values.length]!;
};

export function answersOf(
  { decisions, conversions, validatorFails }: World,
  manuscripts: ManuscriptStore,
): Partial<TaskAnswers> {
  const decision = inTurn(decisions);
  const conversion = inTurn(conversions);
  const validatorFailure = inTurn(validatorFails);
  return {
    // Without sizes, a model may make as many calls without progress as in large sources.
    scan_assets: () => succeeded<'scan_assets'>({ ...scan(INPUTS), file_sizes: {} }),
    async validate_md(input: TaskInput<'validate_md'>) {
      if (validatorFailure()) return failedTask('crashed', 'The validator crashed');
      const text = await manuscripts.read(input.manuscript);
      const sources = input.manuscript === null ? NAMES : input.sources;
      const verdict = verdictOn(text, sources, input.accepted_issues);
      return succeeded<'validate_md'>({
        ...verdict,
        ledger_path: null,
        fixed_manuscript: null,
      });
    },
    parse_to_json: ({ manuscript }) =>
      conversion() === 'ok'
        ? succeeded<'parse_to_json'>({ structure_json_path: `s/${manuscript}` })
        : failedTask('parse_failed', 'broken'),
    convert: (_, attempt) =>
      conversion() === 'ok'
        ? succeeded<'convert'>({ output_docx_path: `d/${attempt}`, export_id: `exp_${attempt}`, bytes: 1 })
        : failedTask('conversion_failed', 'broken'),
    quality_check: () => succeeded<'quality_check'>({ passed: conversion() === 'ok', issues: [] }),
    human_input(request: DecisionRequest) {
      const given = decision();
      if (given === 'lost') return failedTask('gone', 'The task was removed');
      if (request.decision_type === 'fix_exhausted') return succeeded<'human_input'>({ action: given });
      if (request.decision_type === 'question') return succeeded<'human_input'>({ text: 'Go on.' });
      return succeeded<'human_input'>({
        user_decisions: Object.fromEntries(request.references.map(({ ref }) => [ref, 'skip'])),
      });
    },
  };
}
