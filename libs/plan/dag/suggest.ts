import type { PlanTask } from '../contract/values.js';
import { termsOf } from '../tools/retrieval/terms.js';
import type { ToolDescription } from '../tools/tool.js';
import type { Toolbox } from '../tools/toolbox.js';
import { sourcesOf, wire, type Producer, type Source, type Wired } from './wiring.js';

/** A plan proposed by rules. */
export interface Suggestion {
  tasks: PlanTask[];
  /** 0…1: how often these tools were used in sequence before. */
  confidence: number;
  /** Parameters without a value; the client that runs the plan must supply them. */
  missing: { task_id: string; parameter: string }[];
}

const MAX_STEPS = 12;
/** Separators between the steps of a request. */
const STEP_ENDS = /(?:[.;\n]{1,9}(?=\s|$)|,? \b(?:and then|then|after that|afterwards|finally)\b|, )/i;
const LEADING_WORDS = /^\s*(?:(?:and|then|finally|afterwards|next)\s+)+/i;
/** Confidence in two tools that were never used in sequence. */
const UNSEEN_CONFIDENCE = 0.3;

/** Splits a request into its steps, in order. */
export function stepsOf(intent: string): string[] {
  return intent
    .replace(/[^\S\n]+/g, ' ')
    .split(STEP_ENDS)
    .map((step) => step.replace(LEADING_WORDS, '').trim())
    .filter((step) => step !== '')
    .slice(0, MAX_STEPS);
}

/**
 * Proposes a plan for a request by rules: the best tool for each step, with parameters wired by name and type
 * to earlier results. If a parameter is missing, inserts a tool that returns it.
 */
export function suggestPlan(intent: string, known: Record<string, unknown>, toolbox: Toolbox): Suggestion {
  const draft = new Draft(toolbox, termsOf(intent), known);
  for (const step of stepsOf(intent)) {
    const best = toolbox.index.search(step, 1)[0];
    if (best && !draft.has(best.name)) draft.add(best.name);
  }
  return { tasks: draft.tasks, missing: draft.missing, confidence: confidenceIn(draft.tasks, toolbox) };
}

/** Returns the confidence in a plan: the mean confidence of its dependencies, as learnt (P9). */
export function confidenceIn(tasks: readonly PlanTask[], { index }: Pick<Toolbox, 'index'>): number {
  const toolOf = new Map(tasks.map(({ id, tool }) => [id, tool]));
  const seen = tasks.flatMap(({ tool, depends_on }) =>
    depends_on.map((id) => Math.max(UNSEEN_CONFIDENCE, index.coUse.confidence(toolOf.get(id) ?? '', tool))),
  );
  return seen.length === 0 ? UNSEEN_CONFIDENCE : seen.reduce((sum, each) => sum + each, 0) / seen.length;
}

/** A plan under construction. */
export class Draft {
  readonly tasks: PlanTask[] = [];
  readonly missing: Suggestion['missing'] = [];
  private readonly producers: Producer[];
  /** Places in the results so far, computed once for the many tools to try. */
  private sources: readonly Source[];
  private readonly taken: Set<string>;

  /**
   * @param done plan steps whose results are available
   * @param taken ids in use
   */
  constructor(
    private readonly toolbox: Toolbox,
    private readonly hints: readonly string[],
    private readonly known: Record<string, unknown>,
    done: readonly Producer[] = [],
    taken: Iterable<string> = [],
  ) {
    this.producers = [...done];
    this.sources = sourcesOf(this.producers, hints);
    this.taken = new Set(taken);
  }

  has(tool: string): boolean {
    return this.tasks.some((task) => task.tool === tool);
  }

  /**
   * Adds a plan step for a tool, preceded by one that supplies a missing parameter.
   *
   * @returns the number of plan steps added
   */
  add(name: string, room = 2): number {
    const tool = this.toolbox.tools.get(name);
    if (!tool || room < 1) return 0;
    let wired = this.wired(tool);
    let added = 0;
    if (wired.missing.length > 0 && room > 1) {
      added += this.addProducer(tool, wired.missing[0]!);
      if (added > 0) wired = this.wired(tool);
    }
    const id = this.freeId(name);
    const from = Object.values(wired.arguments).flatMap((value) =>
      typeof value === 'object' && value !== null && '$from' in value ? [String(value.$from)] : [],
    );
    this.tasks.push({ id, tool: name, arguments: wired.arguments, depends_on: [...new Set(from)] });
    for (const parameter of wired.missing) this.missing.push({ task_id: id, parameter });
    this.producers.push({ task: id, tool });
    this.sources = sourcesOf(this.producers, this.hints);
    return added + 1;
  }

  private wired(tool: ToolDescription, sources = this.sources): Wired {
    return wire(tool, this.known, sources, this.hints);
  }

  /**
   * Inserts a tool without side effects whose result supplies a parameter, and whose own parameters are all
   * available.
   */
  private addProducer(tool: ToolDescription, parameter: string): number {
    const candidates = [...this.toolbox.tools.values()]
      .filter(({ name, sideEffects }) => !sideEffects && name !== tool.name && !this.has(name))
      .sort((a, b) => a.cost - b.cost);
    for (const candidate of candidates) {
      if (this.wired(candidate).missing.length > 0) continue;
      const trial = sourcesOf([{ task: candidate.name, tool: candidate }], this.hints);
      if (this.wired(tool, trial).missing.includes(parameter)) continue;
      return this.add(candidate.name, 1);
    }
    return 0;
  }

  private freeId(tool: string): string {
    const base =
      tool
        .replace(/[^A-Za-z0-9_-]+/g, '_')
        .replace(/^[^A-Za-z]+/, '')
        .slice(0, 50) || 'task';
    let id = base;
    for (let number = 2; this.taken.has(id); number++) id = `${base}_${number}`;
    this.taken.add(id);
    return id;
  }
}
