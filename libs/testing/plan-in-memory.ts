import type { BudgetShortfall } from '#contracts/budgets.js';
import type { NewRunEvent } from '#catalogue/events.js';
import type { ModelPort } from '#kit/graph/ports.js';
import { AIMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { planConfigSchema, type PlanTask } from '#plan/contract/values.js';
import { buildPlanGraph } from '#plan/graph/definition.js';
import type { GivenCommand, PlanPorts } from '#plan/graph/ports.js';
import { newPlanState, type PlanState } from '#plan/graph/state.js';
import { platformCatalogue } from '#plan/tools/catalogue.js';
import type { FinishedItems, JournalStore } from '#plan/tools/platform/item-journal.js';
import { storedResult } from '#plan/tools/stored-result.js';
import type { ToolDescription } from '#plan/tools/tool.js';
import { CodeChecks } from '#plan/tools/check/code-checks.js';
import checkCode, { type Code } from '#plan/tools/check/code.worker.js';
import checkHere, { type SchemaCheck } from '#plan/tools/schema/check.worker.js';
import { SchemaChecks } from '#plan/tools/schema/schema-checks.js';
import { buildToolbox } from '#plan/tools/toolbox.js';

type Request = Parameters<ModelPort['call']>[0];

/** Interrupt of a plan: a question, or a call of a tool. */
export interface Asked {
  task: string;
  input: {
    decision_type?: string;
    question?: string;
    tool?: string;
    plan_task?: string;
    details?: { choices: string[] };
    budget?: BudgetShortfall;
    stays_on_host?: boolean;
  };
}

/** Returns the answer of a planner with these steps. */
export const planAnswer = (...tasks: PlanTask[]): AIMessage =>
  new AIMessage(
    JSON.stringify({ understanding: 'As asked.', tasks, outputs: [], assumptions: [], missing: [] }),
  );

/** Checks of code in this process. */
export const codesHere = new CodeChecks((_module, code) => checkCode(code as Code) as Promise<never>);

/** Plan over in-memory ports, with a scripted model. Nothing is approved, unless the config says otherwise. */
export class PlanInMemory {
  readonly events: NewRunEvent[] = [];
  readonly requests: Request[] = [];
  /** Budgets that a person set. */
  readonly budgets: Parameters<ModelPort['setBudget']>[] = [];
  /** Commands of clients; the graph follows each once. */
  readonly commands: GivenCommand[] = [];
  private readonly results = new Map<string, unknown>();
  private readonly items = new Map<string, FinishedItems[]>();
  private readonly graph;
  private readonly config = { configurable: { thread_id: 'run' } };

  /**
   * @param replies of the model, in turn
   * @param allowedHosts hosts that the tenant listed
   * @param tools further tools
   */
  constructor(
    private readonly replies: (AIMessage | Error)[],
    allowedHosts: string[] = [],
    tools: ToolDescription[] = [],
    isOffline = false,
  ) {
    const toolbox = buildToolbox([...platformCatalogue, ...tools], { requests: new Map(), edges: [] });
    const ports: PlanPorts = {
      tools: () => Promise.resolve(toolbox),
      toolbox: () => Promise.resolve(toolbox),
      glance: () => Promise.resolve([]),
      isOffline: () => Promise.resolve(isOffline),
      modelLabels: () => Promise.resolve({ label: 'large', fastLabel: 'small' }),
      givenCommands: () => Promise.resolve(this.commands),
      closeCommands: () => Promise.resolve([]),
      collections: () => Promise.resolve([]),
      allowedHosts: () => Promise.resolve(new Set(allowedHosts)),
      schemas: new SchemaChecks(<Result>(_module: URL, work: unknown) =>
        Promise.resolve(checkHere(work as SchemaCheck) as Result),
      ),
      codes: codesHere,
      secrets: () => Promise.resolve([]),
      written: () => Promise.resolve({ texts: {}, files: [] }),
      journal: (step) => this.journalOf(step),
      keepLesson: () => Promise.resolve(),
      result: (key) => Promise.resolve(this.results.get(key)),
      keepResult: (task, value) => {
        this.results.set(`results/${task}`, value);
        return Promise.resolve(storedResult(`results/${task}`, JSON.stringify(value)));
      },
      model: {
        call: (request) => this.call(request),
        setBudget: (...budget) => Promise.resolve(void this.budgets.push(budget)),
      },
      emit: (event) => void this.events.push(event),
    };
    this.graph = buildPlanGraph(ports).compile({ checkpointer: new MemorySaver() });
  }

  private journalOf(step: string): JournalStore {
    const parts = this.items.get(step) ?? [];
    this.items.set(step, parts);
    return {
      batch: 1,
      read: () => Promise.resolve(parts),
      write: (_part, items) => Promise.resolve(void parts.push(items)),
    };
  }

  private call(request: Request): Promise<AIMessage> {
    this.requests.push(request);
    const reply = this.replies.shift() ?? new Error('no reply');
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
  }

  start(given: { intent?: string; tasks?: PlanTask[]; config?: object }): Promise<Asked[]> {
    const { intent = null, tasks = [], config } = given;
    const hil = { approval_required: 'never' };
    return this.run(
      newPlanState({
        session_id: 'ses',
        input_files: [],
        intent,
        tasks,
        config: planConfigSchema.parse({ hil, ...config }),
        context: {},
      }),
    );
  }

  /** Answers the open question. */
  answer(output: object): Promise<Asked[]> {
    return this.run(new Command({ resume: { ok: true, output } }));
  }

  /** Ends the open task as failed. */
  fail(error: object): Promise<Asked[]> {
    return this.run(new Command({ resume: { ok: false, error } }));
  }

  /** Ends all open plan steps, those with an error as failed. */
  async end(errors: Record<string, object>): Promise<Asked[]> {
    const { tasks } = await this.graph.getState(this.config);
    const resume = tasks.flatMap(({ interrupts }) =>
      interrupts.map(({ id, value }) => {
        const error = errors[(value as Asked).input.plan_task!];
        const output = { result_key: 'results/x', bytes: 2, result: {}, preview: '{}' };
        return [id!, error ? { ok: false, error } : { ok: true, output }];
      }),
    );
    return this.run(new Command({ resume: Object.fromEntries(resume) as Record<string, unknown> }));
  }

  private async run(input: object): Promise<Asked[]> {
    await this.graph.invoke(input as never, this.config);
    const { tasks } = await this.graph.getState(this.config);
    return tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value as Asked));
  }

  async state(): Promise<PlanState> {
    return (await this.graph.getState(this.config)).values as PlanState;
  }
}
