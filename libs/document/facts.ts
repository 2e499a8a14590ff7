import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { labelOf, type RunProgress } from '#contracts/runs.js';
import type { AnswerContext, Continuation, KindFacts } from '#engine/kind.js';
import type { DecisionRequest } from '#catalogue/decisions.js';
import { type OutlineEntry, outlineEntrySchema } from '#contracts/manuscript.js';
import { userDecisionsSchema } from '#contracts/references.js';
import { z } from 'zod';
import { isFirstPage } from '#verbatim/own-lines/vocabulary.js';
import { documentNodes } from './facts/nodes.js';
import type { DocumentState } from './graph/state.js';
import { documentTasks } from './contract/tasks.js';

/** State keys of a document run that restore, fork and promote read. */
const savedStateSchema = z.object({
  session_id: z.string(),
  input_files: z.array(z.string()),
  user_decisions: userDecisionsSchema,
  temp_md_path: z.string().nullable(),
  ledger_path: z.string().nullable(),
  last_checkpoint_id: z.string().nullable(),
  export_id: z.string().nullable(),
  current_chapter: z.number().int(),
  current_file_index: z.number().int(),
  document_outline: z.array(outlineEntrySchema),
  coverage: z.number().nullable(),
});
type SavedState = z.infer<typeof savedStateSchema>;

/** Rules for continuing another run from the state of a document run. */
const documentContinuation: Continuation = {
  state: savedStateSchema,
  // The scan result says which source an answer belongs to (X2). The state has the results of the other
  // tasks.
  carriedTasks: ['scan_assets'],
  // Text of the model and the tools.
  prose: ['messages'],
  // A ledger's HTML page is stored next to it.
  companions: (key) => (/\/ledger\/[^/]+\.json$/.test(key) ? [key.replace(/\.json$/, '.html')] : []),
  needs(state) {
    const { input_files, user_decisions, last_checkpoint_id, export_id } = state as SavedState;
    return {
      inputs: input_files,
      assets: Object.values(user_decisions),
      checkpointId: last_checkpoint_id,
      exportId: export_id,
    };
  },
  shownKeys: ['temp_md_path', 'current_chapter'],
  shown({ temp_md_path: manuscript, current_chapter: chapter }) {
    return {
      chapter: typeof chapter === 'number' ? chapter : null,
      manuscript: typeof manuscript === 'string' ? manuscript : null,
    };
  },
};

/** Graph version, recorded with each run. Increment it if a change affects parked runs. */
const DOCUMENT_GRAPH_VERSION = '3';

/** Maximum number of issues in a run's progress. */
const MAX_ISSUES = 50;

/** Maximum number of files in each list of a run's progress. */
const MAX_LISTED = 50;

const LABELS: Record<DocumentState['status'], Phrase> = {
  scanning_assets: phrase('progress.document.scanning_assets'),
  awaiting_human: phrase('progress.document.awaiting_human'),
  processing: phrase('progress.document.processing'),
  converting: phrase('progress.document.converting'),
  completed: phrase('progress.done'),
  failed: phrase('progress.failed'),
};

const MAX_TITLE = 200;

/** Returns the first heading of the manuscript without Markdown's emphasis, code marks and links; null without one. */
function firstHeading(outline: DocumentState['document_outline']): string | null {
  const start = outline.findIndex(({ level, title }) => level === 1 && !isFirstPage(title));
  const heading = outline[isFirstPage(outline[0]?.title ?? '') ? start : 0]?.title ?? '';
  const plain = heading.replace(/!?\[([^\][]{0,500})\]\([^()]{0,2000}\)/g, '$1').replace(/[*`]/g, '');
  return plain.trim().slice(0, MAX_TITLE) || null;
}

/**
 * Returns the files that the sources refer to and that are left out, by an answer or by an earlier one that is remembered
 * (X2).
 */
const leftOut = ({ user_decisions: decisions = {} }: Partial<DocumentState>): string[] =>
  Object.keys(decisions).filter((ref) => decisions[ref] === 'skip');

/** Returns the progress that clients see; a state saved by an older release may lack keys. */
function describe(graphState: Record<string, unknown>): RunProgress {
  const state = graphState as Partial<DocumentState>;
  const { status, current_chapter: chapter = 1, document_outline: outline = [] } = state;
  const isDone = status === 'completed';
  return {
    phase: status ?? null,
    ...labelOf(status ? LABELS[status] : null),
    done: isDone ? outline.filter(({ level }) => level === 1).length : chapter - 1,
    total: isDone ? outline.filter(({ level }) => level === 1).length : null,
    details: {
      title: firstHeading(outline) ?? state.input_files?.[0]?.slice(0, MAX_TITLE) ?? null,
      // After the last chapter the state's counter is one too high for clients, who want the number of
      // chapters.
      current_chapter: isDone ? chapter - 1 : chapter,
      current_file_index: state.current_file_index ?? null,
      document_outline: boundedOutline(outline),
      sources: sourcesOf(state),
      coverage: state.coverage ?? null,
      coverage_report: state.coverage_report ?? null,
      acceptances: state.acceptances ?? [],
      validation_issues: (state.validation_issues ?? []).slice(0, MAX_ISSUES),
      fix_attempts: state.fix_attempts ?? 0,
      conversion_attempts: state.conversion_attempts ?? 0,
      left_out: leftOut(state).slice(0, MAX_LISTED),
      taken_over: takenOverOf(state),
      used_fallback: state.model_recovery?.rules ?? false,
    },
  };
}

function takenOverOf({ taken_over: taken, text_files = [] }: Partial<DocumentState>) {
  if (!taken) return null;
  const [added, changed, removed] = [taken.added, taken.changed, taken.removed].map((all) =>
    all.slice(0, MAX_LISTED),
  );
  const kept = taken.kept.length;
  return {
    ...{ kept, written: text_files.length - kept, added, changed, removed },
    renamed: taken.renamed.slice(0, MAX_LISTED),
  };
}

/** Returns how many sources, and how many of their lines, the manuscript carries. */
function sourcesOf({ file_sizes = {}, files_written, status, export_only }: Partial<DocumentState>) {
  const sources = Object.entries(file_sizes);
  if (sources.length === 0) return null;
  const isAll = status === 'converting' || status === 'completed' || export_only === true;
  const written = sources.filter(([name]) => isAll || files_written?.includes(name));
  const sum = (of: typeof sources) => of.reduce((total, [, { lines }]) => total + lines, 0);
  return {
    files: sources.length,
    files_written: written.length,
    lines: sum(sources),
    lines_written: sum(written),
  };
}

/** Facts about documents that every process can use without building the graph. */
export const documentFacts: KindFacts = {
  kind: 'document',
  version: DOCUMENT_GRAPH_VERSION,
  nodes: documentNodes,
  continuation: documentContinuation,
  describe,
  results: (state) => ({
    manuscript: (state['temp_md_path'] as string | null | undefined) ?? null,
    ledger: (state['ledger_path'] as string | null | undefined) ?? null,
  }),
  answerResolvers: {
    missing_references: { remember: rememberReferences },
    question: { remember: rememberReferences },
  },
};

/**
 * X2: remembers the choices for missing references by the content of their sources, so that a person is asked
 * only once.
 */
async function rememberReferences(
  answer: Record<string, unknown>,
  _request: DecisionRequest,
  context: AnswerContext,
): Promise<void> {
  const choices = Object.entries((answer['user_decisions'] as Record<string, string> | undefined) ?? {});
  if (choices.length === 0) return;
  const scan = documentTasks.scan_assets.output.safeParse(await context.taskOutput('scan_assets'));
  for (const [ref, choice] of choices) {
    const asset = choice === 'skip' ? null : await context.file('assets', choice);
    const found = scan.data?.references.filter((reference) => reference.ref === ref) ?? [];
    for (const source of new Set(found.map((reference) => reference.source))) {
      const input = await context.file('inputs', source);
      if (input) await context.remember(input.sha256, ref, asset);
    }
  }
}

/** Maximum number of headings in a run's progress. */
const MAX_ENTRIES = 500;

/**
 * Returns the outline for a run's progress. Omits the deepest levels of a long document, so that all chapters
 * fit.
 */
export function boundedOutline(outline: OutlineEntry[]): OutlineEntry[] {
  let shown = outline;
  for (let deepest = 6; shown.length > MAX_ENTRIES && deepest > 1; deepest--)
    shown = shown.filter(({ level }) => level < deepest);
  return shown.slice(0, MAX_ENTRIES);
}
