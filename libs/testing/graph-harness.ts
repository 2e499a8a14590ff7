import type { NewRunEvent } from '#catalogue/events.js';
import { tasks, type TaskName, type TaskRequest, type TaskResult } from '#catalogue/tasks.js';
import { isSourceName } from '#contracts/file-kinds.js';
import { buildDocumentGraph } from '#document/graph/definition.js';
import type { InThread, ModelPort } from '#kit/graph/ports.js';
import type { DocumentPorts, DocumentSettings } from '#document/graph/ports.js';
import { buildInitialState, type DocumentState } from '#document/graph/state.js';
import { DocumentRules } from '#document/offline/rules.js';
import applyRules, { type RulesWork } from '#document/offline/rules.worker.js';
import type { ManuscriptStore } from '#storage/manuscript-store.js';
import type { BaseMessage } from '@langchain/core/messages';
import { Command, MemorySaver, type StateSnapshot } from '@langchain/langgraph';
import { defaultTasks, type TaskAnswers } from './default-tasks.js';
import {
  MemoryCheckpoints,
  MemoryEvents,
  MemoryInputs,
  memoryManuscripts,
  type InputFiles,
  type MemoryCheckpoint,
} from './memory-ports.js';

export interface HarnessOptions {
  inputs: InputFiles;
  model: ModelPort['call'];
  /** True for an installation without a model. */
  offline?: boolean;
  /** Replaces answers of workers or people; a function receives the store of the run's manuscripts. */
  answers?: Partial<TaskAnswers> | ((manuscripts: ManuscriptStore) => Partial<TaskAnswers>);
  settings?: Partial<DocumentSettings>;
  pageBytes?: number;
  /** True if checkpoints cannot be restored because retention removed them. */
  forgetsCheckpoints?: boolean;
  /** Keys of the initial state that differ from `buildInitialState`. */
  initial?: Partial<DocumentState>;
}

/** A task of the graph and its result. */
export interface AnsweredTask {
  request: TaskRequest;
  result: TaskResult;
}

/** Results of a finished run. */
export interface HarnessRun {
  state: DocumentState;
  manuscript: string;
  /** Nodes in the order of their completion. */
  path: string[];
  events: NewRunEvent[];
  /** Effect keys that were used twice; empty in a correct run. */
  repeatedEffects: string[];
  tasks: AnsweredTask[];
  checkpoints: MemoryCheckpoint[];
  /** Messages of each model call. */
  prompts: BaseMessage[][];
  /** What the offline writer says about its work. */
  said: string[];
  /** Changes of the run's budget. */
  budgets: [unit: 'tokens' | 'cost', amount: number][];
}

export const TEST_SETTINGS: DocumentSettings = {
  policy: 'verbatim',
  hasSummary: false,
  firstPage: [],
  title: null,
  language: null,
  author: 'test',
  sourceAppendix: false,
  codeColors: false,
  lineNumbers: false,
  decisionDeadlineSeconds: 60,
  maxAgentSteps: 200,
  systemPrompt: 'system',
};

type CompiledGraph = ReturnType<ReturnType<typeof buildDocumentGraph>['compile']>;
type GraphInput = Parameters<CompiledGraph['stream']>[0];

/** Applies the rules of the offline writer without a thread. */
export const inThisThread = (async (_module, input) => applyRules(input as RulesWork)) as InThread;

/** LangGraph counts its limit per leg; the run's own step limit is in its state (D25). */
const RECURSION_LIMIT = 1_000_000;

/**
 * Executes the document graph like the run engine, without queue, database and disk. Each leg uses a new graph; remote
 * interrupts are answered by `defaultTasks` or the given functions and resumed by a map of their IDs.
 */
export async function runDocument(options: HarnessOptions): Promise<HarnessRun> {
  const harness = new Harness(options);
  return harness.run();
}

class Harness {
  private readonly sessionId = 'ses_test';
  private readonly manuscripts = memoryManuscripts(this.sessionId);
  private readonly checkpoints = new MemoryCheckpoints();
  private readonly events = new MemoryEvents();
  private readonly saver = new MemorySaver();
  private readonly prompts: BaseMessage[][] = [];
  private readonly said: string[] = [];
  private readonly tasks: AnsweredTask[] = [];
  private readonly budgets: HarnessRun['budgets'] = [];
  private readonly attempts = new Map<TaskName, number>();
  private readonly answers: TaskAnswers;
  private readonly ports: DocumentPorts;

  constructor(private readonly options: HarnessOptions) {
    const { inputs, pageBytes = 32_768 } = options;
    const { store } = this.manuscripts;
    const given = typeof options.answers === 'function' ? options.answers(store) : options.answers;
    this.answers = { ...defaultTasks(inputs, store), ...given };
    const restore = async (id: string) =>
      options.forgetsCheckpoints ? null : await this.checkpoints.restore(id);
    this.ports = {
      inputs: new MemoryInputs(inputs, pageBytes),
      manuscripts: this.manuscripts.port,
      checkpoints: { create: (checkpoint) => this.checkpoints.create(checkpoint), restore },
      model: {
        label: 'test',
        fastLabel: 'test-fast',
        call: (request) => this.callModel(request),
        setBudget: async (unit, amount) => void this.budgets.push([unit, amount]),
        spent: () => Promise.resolve({ tokens: 1_000 * this.prompts.length, cost: 0 }),
      },
      offline: options.offline ?? false,
      rules: new DocumentRules(inThisThread),
      say: (text) => void this.said.push(text),
      emit: (event) => this.events.emit(event),
      settings: { ...TEST_SETTINGS, ...options.settings },
    };
  }

  async run(): Promise<HarnessRun> {
    const names = Object.keys(this.options.inputs);
    const config = { configurable: { thread_id: 'run_test' } };
    const initial = buildInitialState(this.sessionId, names, names.filter(isSourceName));
    let input: GraphInput = { ...initial, ...this.options.initial };
    for (;;) {
      const graph = buildDocumentGraph(this.ports).compile({ checkpointer: this.saver });
      const leg = { ...config, durability: 'sync' as const, recursionLimit: RECURSION_LIMIT };
      for await (const _chunk of await graph.stream(input, { ...leg, streamMode: 'updates' }));
      const snapshot: StateSnapshot = await graph.getState(config);
      if (snapshot.tasks.length === 0) return await this.result(snapshot.values as DocumentState);
      input = new Command({ resume: await this.resumeValues(snapshot) }) as GraphInput;
    }
  }

  private callModel(request: Parameters<ModelPort['call']>[0]): ReturnType<ModelPort['call']> {
    this.prompts.push(request.messages);
    return this.options.model(request);
  }

  private async resumeValues(snapshot: StateSnapshot): Promise<Record<string, TaskResult>> {
    const values: Record<string, TaskResult> = {};
    for (const { id, value } of snapshot.tasks.flatMap((task) => task.interrupts))
      values[id!] = await this.answer(value as TaskRequest);
    if (Object.keys(values).length === 0) throw new Error('the graph stopped without an interrupt or an end');
    return values;
  }

  private async answer({ task, input }: TaskRequest): Promise<TaskResult> {
    const attempt = (this.attempts.get(task) ?? 0) + 1;
    this.attempts.set(task, attempt);
    const answerOf = this.answers[task as keyof TaskAnswers] as (
      input: unknown,
      attempt: number,
    ) => Promise<TaskResult>;
    const request = { task, input: tasks[task].input.parse(input) } as TaskRequest;
    const result = await answerOf(request.input, attempt);
    this.tasks.push({ request, result });
    return result;
  }

  private async result(state: DocumentState): Promise<HarnessRun> {
    const completed = this.events.log.filter(({ type }) => type === 'node_complete');
    return {
      state,
      manuscript: await this.manuscripts.store.read(state.temp_md_path),
      path: completed.map(({ data }) => String(data.node)),
      events: this.events.log,
      repeatedEffects: this.events.repeated,
      tasks: this.tasks,
      checkpoints: this.checkpoints.saved,
      prompts: this.prompts,
      said: this.said,
      budgets: this.budgets,
    };
  }
}
