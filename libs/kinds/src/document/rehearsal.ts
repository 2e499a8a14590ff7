import type { TaskName, TaskOutput, TaskResult } from '#contracts/tasks.js';
import type { ManuscriptVersion } from '#agent/ports.js';
import { callModel } from '#llm/call-model.js';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { Command, MemorySaver } from '@langchain/langgraph';
import { buildDocumentGraph } from './graph.js';
import type { DocumentPorts } from './ports.js';
import { buildInitialState } from './state.js';

/** Sources of different forms: each takes a way of its own through the writer. */
const NAMES = ['rehearsal-1.md', 'rehearsal-2.txt', 'rehearsal-3.log', 'rehearsal-4.json'];
const TEXT = '# Rehearsal\n\nA sentence.\n\n```text\na line\n```\n';
const SCANNED: TaskOutput<'scan_assets'> = { missing_references: [], references: [], user_decisions: {} };
const VALIDATED: TaskOutput<'validate_md'> = {
  validation_passed: true,
  validation_issues: [],
  coverage: 1,
  ledger_path: 'rehearsal',
  fixed_manuscript: null,
};
/** What the workers of a run that goes well answer, up to the finished manuscript. */
const ANSWERS = new Map<TaskName, TaskResult>([
  ['scan_assets', { ok: true, output: SCANNED }],
  ['validate_md', { ok: true, output: VALIDATED }],
]);

/**
 * Writes chapters of a few lines that nobody reads, up to the finished manuscript, through the graph and the writer of real runs: what comes
 * first takes half a second longer than what comes after.
 */
export async function rehearse(
  model: BaseChatModel,
  systemPrompt: string,
  signal: AbortSignal,
): Promise<void> {
  const graph = buildDocumentGraph(portsOf(model, systemPrompt)).compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: 'rehearsal' } };
  // LangGraph never removes its listeners from the signal that it is given.
  const advance = (input: Parameters<typeof graph.invoke>[0]) =>
    graph.invoke(input, { ...config, signal: AbortSignal.any([signal]) });
  await advance(buildInitialState('rehearsal', NAMES, NAMES));
  for (;;) {
    const { tasks } = await graph.getState(config);
    const open = tasks.flatMap(({ interrupts }) => interrupts);
    const answers = open.map(({ id, value }) => [String(id), ANSWERS.get(value.task)] as const);
    if (open.length === 0 || answers.some(([, answer]) => answer === undefined)) return;
    await advance(new Command({ resume: Object.fromEntries(answers) }));
  }
}

function portsOf(model: BaseChatModel, systemPrompt: string): DocumentPorts {
  const version: ManuscriptVersion = { pointer: 'rehearsal', lines: 1, outline: [] };
  const size = TEXT.length;
  return {
    inputs: {
      list: async () => NAMES.map((name) => ({ name, bytes: size })),
      readPage: async () => ({
        text: TEXT,
        first_line: 1,
        last_line: 7,
        start: 0,
        end: size,
        size,
        next_cursor: null,
      }),
    },
    manuscripts: {
      append: async () => ({ ...version, added: 1 }),
      editLine: async () => version,
      tail: async () => '',
      describe: async () => version,
    },
    checkpoints: { create: async () => 'rehearsal', restore: async () => null },
    model: {
      call: async ({ messages, tools, signal }) => {
        const options = { tools, onToken: () => undefined, ...(signal ? { signal } : {}) };
        return (await callModel(model, messages, options)).message;
      },
      setBudget: async () => undefined,
    },
    emit: () => undefined,
    settings: {
      policy: 'verbatim',
      title: null,
      language: null,
      author: '',
      sourceAppendix: false,
      codeColors: false,
      lineNumbers: false,
      decisionDeadlineSeconds: 60,
      maxAgentSteps: 10 * NAMES.length,
      systemPrompt,
    },
  };
}
