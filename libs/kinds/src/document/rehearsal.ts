import type { TaskOutput, TaskResult } from '#contracts/tasks.js';
import type { ManuscriptVersion } from '#agent/ports.js';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { Command, MemorySaver } from '@langchain/langgraph';
import { buildDocumentGraph } from './graph.js';
import type { DocumentPorts } from './ports.js';
import { buildInitialState } from './state.js';

const NAME = 'rehearsal.md';
const TEXT = '# Rehearsal\n\nA sentence.\n\n```text\na line\n```\n';
const SCANNED: TaskOutput<'scan_assets'> = { missing_references: [], references: [], user_decisions: {} };

/**
 * Writes a chapter of a few lines that nobody reads, up to its validation, through the graph and the writer of real runs: what comes
 * first takes half a second longer than what comes after.
 */
export async function rehearse(
  model: BaseChatModel,
  systemPrompt: string,
  signal: AbortSignal,
): Promise<void> {
  const graph = buildDocumentGraph(portsOf(model, systemPrompt)).compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: 'rehearsal' }, signal };
  await graph.invoke(buildInitialState('rehearsal', [NAME], [NAME]), config);
  const { tasks } = await graph.getState(config);
  const scanned: TaskResult = { ok: true, output: SCANNED };
  const answers = tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => [String(id), scanned]));
  await graph.invoke(new Command({ resume: Object.fromEntries(answers) }), config);
}

function portsOf(model: BaseChatModel, systemPrompt: string): DocumentPorts {
  const version: ManuscriptVersion = { pointer: 'rehearsal', lines: 1, outline: [] };
  const size = TEXT.length;
  return {
    inputs: {
      list: async () => [{ name: NAME, bytes: size }],
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
      call: async ({ messages, signal }) => model.invoke(messages, signal ? { signal } : {}),
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
      maxAgentSteps: 20,
      systemPrompt,
    },
  };
}
