import type { PlanTask } from '../contract/values.js';
import { termsOf } from '../tools/retrieval/terms.js';
import type { ToolDescription } from '../tools/tool.js';
import type { Toolbox } from '../tools/toolbox.js';
import { canRead, covers, filesNamedIn, isForRules } from './coverage.js';
import { tableOf, totalsIn, type Totals } from './totals.js';
import { sourcesOf, wire, type Producer, type Source, type Wired } from './wiring.js';

/** A plan proposed by rules. */
interface Suggestion {
  tasks: PlanTask[];
  /** 0…1: how often these tools were used in sequence before. */
  confidence: number;
  /** Parameters without a value; the client that runs the plan must supply them. */
  missing: { task_id: string; parameter: string }[];
  /** Parts of the request that no task of the plan serves in full: the plan alone would be a wrong answer. */
  not_covered: string[];
}

/** An input file with its first lines, if it is text. */
interface KnownInput {
  name: string;
  beginning: string | null;
}

const MAX_STEPS = 12;
/** Maximum number of tools considered for a step. Rules cannot use every tool, so the best match may be skipped. */
const SEARCHED = 30;
/** Separators between the steps of a request. */
const STEP_ENDS = /(?:[.;\n]{1,9}(?=\s|$)|,? \b(?:and then|then|after that|afterwards|finally)\b|, )/i;
const LEADING_WORDS = /^\s*(?:(?:and|then|first|finally|afterwards|next)(?:\s+|$))+/i;
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
 *
 * @param inputs files of the session; null if the session does not exist yet
 */
export function suggestPlan(
  intent: string,
  known: Record<string, unknown>,
  toolbox: Toolbox,
  inputs: readonly KnownInput[] | null = null,
): Suggestion {
  const files = inputs?.map(({ name }) => name) ?? [];
  const tables = inputs?.flatMap(({ name, beginning }) => tableOf(name, beginning) ?? []) ?? [];
  const named = filesNamedIn(intent, files);
  const draft = new Draft(toolbox, termsOf(intent), known);
  const notCovered: string[] = [];
  for (const step of stepsOf(intent)) {
    const here = filesNamedIn(step, files);
    const names = new Set(termsOf([...here, ...Object.values(known).filter(isText)].join(' ')));
    const totals = totalsIn(step, tables, named, names);
    if (totals) {
      addTotals(draft, totals);
      continue;
    }
    const file = fileFor(step, here, named, inputs);
    const serves = ({ name }: { name: string }) =>
      covers(toolbox.tools.get(name)!, step, names) && (!isText(file) || canRead(name, file));
    // A file's name may contain words of other tools, such as "table.csv".
    const best = [step, withoutNames(step, here)]
      .map((text) => toolbox.index.search(text, SEARCHED).find(({ name }) => isForRules(name)))
      .find((found) => found && serves(found));
    if (!best) notCovered.push(step);
    else if (!draft.has(best.name)) draft.add(best.name, 2, file);
    // Wired to a file of an earlier step.
    if (isText(file) && inputs!.length > 1 && !draft.lastReadsOnly(file)) notCovered.push(step);
    if (inputs?.length === 0 && draft.tasks.some(({ tool }) => READERS.has(tool))) notCovered.push(step);
  }
  const used = new Set(draft.tasks.map(({ arguments: args }) => args['name']));
  for (const file of named) if (!used.has(file)) notCovered.push(file);
  const { tasks, missing } = draft;
  return { tasks, missing, not_covered: notCovered, confidence: confidenceIn(tasks, toolbox) };
}

/** Returns a step without the names of files, compared without case. */
const withoutNames = (step: string, files: readonly string[]): string =>
  files.reduce((text, file) => {
    const at = text.toLowerCase().indexOf(file.toLowerCase());
    return at < 0 ? text : text.slice(0, at) + text.slice(at + file.length);
  }, step);

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Returns the file that a step is about, or undefined if any file will do or earlier results decide. Returns null
 * if it could be several, so that a person has to choose.
 */
function fileFor(
  step: string,
  here: readonly string[],
  named: readonly string[],
  inputs: readonly KnownInput[] | null,
): string | null | undefined {
  if (inputs === null) return undefined;
  const files = inputs.map(({ name }) => name);
  const hints = termsOf(step);
  const ofFormat = files.filter((file) => hints.some((hint) => file.toLowerCase().endsWith(`.${hint}`)));
  // A format in the step counts more than a file that another step names.
  const both = ofFormat.filter((file) => named.includes(file));
  const candidates = [here, both, ofFormat, named].find((each) => each.length > 0);
  if (!candidates && /\b(?:an|any)\b/i.test(step)) return undefined;
  const [only, ...others] = candidates ?? files;
  return others.length === 0 ? only : null;
}

/** Adds the tasks that compute totals of a table and save them. */
function addTotals(draft: Draft, { file, function: kind, column, group_by }: Totals): void {
  const read = draft.place('read_input', { name: file });
  const parse = draft.place('parse_csv', { text: { $from: read, path: '/text' } });
  const measures = [{ column, function: kind }];
  const aggregate = draft.place('aggregate', {
    rows: { $from: parse, path: '/rows' },
    measures,
    ...(group_by.length > 0 ? { group_by } : {}),
  });
  const name = `${[kind, column, ...group_by]
    .join('-')
    .replace(/[^\p{L}\p{N}_-]+/gu, '_')
    .slice(0, 100)}.csv`;
  draft.place('write_file', { name, content: { $from: aggregate, path: '/rows' } });
}

/** Returns the confidence in a plan: the mean confidence of its dependencies, as learnt (P9). */
export function confidenceIn(tasks: readonly PlanTask[], { index }: Pick<Toolbox, 'index'>): number {
  const toolOf = new Map(tasks.map(({ id, tool }) => [id, tool]));
  const seen = tasks.flatMap(({ tool, depends_on }) =>
    depends_on.map((id) => Math.max(UNSEEN_CONFIDENCE, index.coUse.confidence(toolOf.get(id) ?? '', tool))),
  );
  return seen.length === 0 ? UNSEEN_CONFIDENCE : seen.reduce((sum, each) => sum + each, 0) / seen.length;
}

/** Tools that take the name of an input file as `name`. */
const READERS = new Set(['read_input', 'extract_text']);

/** A plan under construction. */
export class Draft {
  readonly tasks: PlanTask[] = [];
  readonly missing: Suggestion['missing'] = [];
  private readonly producers: Producer[];
  /** File of the step that is being added; null if a person has to choose it. */
  private file: string | null | undefined = undefined;
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
   * Adds a plan step for a tool, preceded by a step that supplies a missing parameter.
   *
   * @returns the number of plan steps added
   */
  add(name: string, room = 2, file?: string | null): number {
    const tool = this.toolbox.tools.get(name);
    if (!tool || room < 1) return 0;
    this.file = file;
    let wired = this.wired(tool);
    let added = 0;
    if (wired.missing.length > 0 && room > 1) {
      added += this.addProducer(tool, wired.missing[0]!);
      if (added > 0) wired = this.wired(tool);
    }
    this.append(tool, wired);
    return added + 1;
  }

  /** Adds a plan step with given arguments, unless there is one. @returns its id */
  place(name: string, args: Record<string, unknown>): string {
    const same = this.tasks.find(
      (task) => task.tool === name && JSON.stringify(task.arguments) === JSON.stringify(args),
    );
    return same?.id ?? this.append(this.toolbox.tools.get(name)!, { arguments: args, missing: [] });
  }

  /** Returns whether all files that the last plan step is made from, if any, are this one. */
  lastReadsOnly(file: string): boolean {
    const sources = new Set([this.tasks.at(-1)?.id]);
    for (const { id, depends_on } of this.tasks.toReversed())
      if (sources.has(id)) for (const each of depends_on) sources.add(each);
    return this.tasks
      .filter(({ id, tool }) => sources.has(id) && READERS.has(tool))
      .every(({ arguments: { name } }) => name === file);
  }

  private append(tool: ToolDescription, wired: Wired): string {
    const { name } = tool;
    const id = this.freeId(name);
    const from = Object.values(wired.arguments).flatMap((value) =>
      typeof value === 'object' && value !== null && '$from' in value ? [String(value.$from)] : [],
    );
    this.tasks.push({ id, tool: name, arguments: wired.arguments, depends_on: [...new Set(from)] });
    for (const parameter of wired.missing) this.missing.push({ task_id: id, parameter });
    this.producers.push({ task: id, tool });
    this.sources = sourcesOf(this.producers, this.hints);
    return id;
  }

  private wired(tool: ToolDescription, sources = this.sources): Wired {
    const isReader = READERS.has(tool.name) && !Object.hasOwn(this.known, 'name');
    if (!isReader || this.file === undefined) return wire(tool, this.known, sources, this.hints);
    if (this.file !== null) return wire(tool, { ...this.known, name: this.file }, sources, this.hints);
    // Several files could be meant: without sources the name stays open.
    return wire(tool, this.known, [], this.hints);
  }

  /**
   * Inserts a tool without side effects that returns a missing parameter, if all its parameters are
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
      return this.add(candidate.name, 1, this.file);
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
