import { dependenciesOf } from '../contract/dependencies.js';
import type { PlanTask } from '../contract/values.js';
import { startsRun } from '../tools/graph/runs.js';
import { termsOf } from '../tools/retrieval/terms.js';
import type { ToolDescription } from '../tools/tool.js';
import type { Toolbox } from '../tools/toolbox.js';
import { requiredOf, sourcesOf, wire, type Producer, type Source, type Wired } from './wiring.js';

/** Tools named for a request. The request is searched for, not understood. */
interface Suggestion {
  tasks: PlanTask[];
  /** 0…1: how often these tools were used in sequence before. */
  confidence: number;
  /** Parameters without a value; the client that runs the plan must supply them. */
  missing: { task_id: string; parameter: string }[];
  /** The request itself, because nobody knows whether the tools do all that it says. */
  not_covered: string[];
}

/** Numbers of search hits that are ranked, and of plan steps that are added for a request (P7). */
const CANDIDATES = 5;
const MAX_NEW_TASKS = 3;
/** Confidence in two tools that were never used in sequence. */
const UNSEEN_CONFIDENCE = 0.3;

/**
 * Names tools for a request. Their parameters are filled from the known values and from each other's results, never
 * from the words of the request.
 */
export function suggestPlan(intent: string, known: Record<string, unknown>, toolbox: Toolbox): Suggestion {
  const draft = new Draft(toolbox, known);
  draft.addFor(intent);
  const { tasks, missing } = draft;
  return { tasks, missing, not_covered: [intent], confidence: confidenceIn(tasks, toolbox) };
}

/** Returns the confidence in a plan: the mean confidence of its dependencies, as learnt (P9). */
export function confidenceIn(tasks: readonly PlanTask[], { index }: Pick<Toolbox, 'index'>): number {
  const toolOf = new Map(tasks.map(({ id, tool }) => [id, tool]));
  const seen = tasks.flatMap((task) =>
    dependenciesOf(task).map((id) =>
      Math.max(UNSEEN_CONFIDENCE, index.coUse.confidence(toolOf.get(id) ?? '', task.tool)),
    ),
  );
  return seen.length === 0 ? UNSEEN_CONFIDENCE : seen.reduce((sum, each) => sum + each, 0) / seen.length;
}

/** Returns whether a call without a model can succeed. A run asks about its own model. */
const needsNoModel = (tool: string): boolean => tool !== 'call_model' && !startsRun(tool);

/**
 * Returns the names of the tools for a request, best first: the five best search hits, ranked with their importance for
 * the tenant (PageRank), without those that serve only terms that a better one serves (P7).
 */
function namedTools(request: string, { tools, index }: Toolbox): string[] {
  const found = index.search(request, CANDIDATES);
  const best = found[0]?.score ?? 0;
  const hits = found.filter(({ name, score }) => score >= best / 2 && needsNoModel(name));
  const importance = index.importance();
  // The importance of an unused tool is 0. Among equals the better search hit wins.
  const value = (hit: (typeof hits)[number]) => hit.score / best + (importance.get(hit.name) ?? 0);
  const open = new Set(termsOf(request));
  return [...hits]
    .sort((a, b) => value(b) - value(a))
    .filter(({ name }, place) => {
      const served = termsOf(`${name} ${tools.get(name)!.description}`).filter((term) => open.delete(term));
      return served.length > 0 || place === 0;
    })
    .map(({ name }) => name);
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
    private readonly known: Record<string, unknown>,
    done: readonly Producer[] = [],
    taken: Iterable<string> = [],
  ) {
    this.producers = [...done];
    this.sources = sourcesOf(this.producers);
    this.taken = new Set(taken);
  }

  /** Adds up to three plan steps for a request (P7). */
  addFor(request: string): void {
    let room = MAX_NEW_TASKS;
    for (const name of namedTools(request, this.toolbox)) if (!this.has(name)) room -= this.add(name, room);
  }

  private has(tool: string): boolean {
    return this.tasks.some((task) => task.tool === tool);
  }

  /**
   * Adds a plan step for a tool. If a parameter has no known value, a step that supplies it from a known value comes
   * first; if no earlier result has it either, any step that supplies it.
   *
   * @returns the number of plan steps added
   */
  private add(name: string, room: number): number {
    const tool = this.toolbox.tools.get(name);
    if (!tool || room < 1) return 0;
    const open = requiredOf(tool).find((parameter) => !Object.hasOwn(this.known, parameter));
    const [missing] = this.wired(tool).missing;
    const added =
      room === 1
        ? 0
        : (open !== undefined && this.addProducer(tool, open, true)) ||
          (missing !== undefined && this.addProducer(tool, missing, false)) ||
          0;
    this.append(tool, this.wired(tool));
    return Number(added) + 1;
  }

  private append(tool: ToolDescription, wired: Wired): void {
    const { name } = tool;
    const id = this.freeId(name);
    const from = Object.values(wired.arguments).flatMap((value) =>
      typeof value === 'object' && value !== null && '$from' in value ? [String(value.$from)] : [],
    );
    this.tasks.push({ id, tool: name, arguments: wired.arguments, depends_on: [...new Set(from)] });
    for (const parameter of wired.missing) this.missing.push({ task_id: id, parameter });
    this.producers.push({ task: id, tool });
    this.sources = sourcesOf(this.producers);
  }

  private wired(tool: ToolDescription, sources = this.sources): Wired {
    return wire(tool, this.known, sources);
  }

  /**
   * Adds a tool without side effects that returns a parameter, if all its own parameters have values.
   *
   * @param fromKnown only a tool that uses a known value
   * @returns the number of plan steps added
   */
  private addProducer(tool: ToolDescription, parameter: string, fromKnown: boolean): number {
    const candidates = [...this.toolbox.tools.values()]
      .filter(({ name, sideEffects }) => !sideEffects && name !== tool.name && !this.has(name))
      .sort((a, b) => a.cost - b.cost);
    for (const candidate of candidates) {
      const wired = this.wired(candidate);
      const usesKnown = Object.keys(wired.arguments).some((name) => Object.hasOwn(this.known, name));
      if (wired.missing.length > 0 || (fromKnown && !usesKnown)) continue;
      const trial = sourcesOf([{ task: candidate.name, tool: candidate }]);
      if (this.wired(tool, trial).missing.includes(parameter)) continue;
      this.append(candidate, wired);
      return 1;
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
