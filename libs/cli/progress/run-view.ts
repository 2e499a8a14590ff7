import { phrase, type Phrase, type PhraseCode } from '#contracts/phrases/phrase.js';
import type { OutlineEntry } from '#contracts/manuscript.js';
import type { CoverageReport } from '#contracts/coverage.js';
import type { RunEvent } from '#catalogue/events.js';
import { carriedShare } from '#verbatim/report/coverage.js';
import { formatNumber, renderText, translate } from '../language.js';

interface ChapterView {
  /** 1-based; 0 is the work before the first chapter. */
  number: number;
  /** The chapter's heading; undefined until it is written. */
  title?: string;
  /** Current or last activity. */
  activity: string;
  /** Validated and saved. */
  done: boolean;
  issues: number;
}

/** State of a run as people see it, folded from its events. */
export interface RunView {
  status: string;
  node?: string;
  /** Description of the current work, from the service. */
  label?: string;
  chapter?: ChapterView;
  /** Headings of the first level. */
  chapters: string[];
  /** Share of the source lines read so far that the manuscript carries, 0…1. */
  coverage: number | null;
  /** Share of the bytes, 0…1. */
  byteCoverage: number | null;
}

export const initialView = (): RunView => ({
  status: 'queued',
  chapters: [],
  coverage: null,
  byteCoverage: null,
});

/** Displayed activity by node. */
const ACTIVITIES: Record<string, PhraseCode & `cli.${string}`> = {
  scan_assets: 'cli.scanning',
  encoding_decision: 'cli.waiting_for_person',
  unreadable_decision: 'cli.waiting_for_person',
  human_input: 'cli.waiting_for_person',
  fix_decision: 'cli.waiting_for_person',
  model_decision: 'cli.waiting_for_person',
  agent: 'cli.writing',
  tools: 'cli.writing',
  validate_md: 'cli.validating',
  checkpoint: 'cli.saving',
  parse_to_json: 'cli.parsing',
  convert: 'cli.converting',
  quality_check: 'cli.checking_word',
  error_handler: 'cli.rolling_back',
};

/** Nodes outside chapters that are shown. */
export const OUTSIDE_CHAPTERS = new Set(['scan_assets', 'parse_to_json', 'convert', 'quality_check']);

export const activityOf = (node: string, label?: string): string => {
  const code = ACTIVITIES[node];
  return code ? translate({ code, params: {} }) : (label ?? translate(phrase('cli.working')));
};

/** Returns whether this client describes a node; for other kinds of run, the service describes the work. */
export const hasActivity = (node: string): boolean => Object.hasOwn(ACTIVITIES, node);

/** Names the chapters from this one to the last that is begun, such as `chapters 4–7` if rules write them together. */
export function chaptersFrom(number: number, { chapters: { length: last } }: RunView): string {
  return translate(
    last > number ? phrase('cli.chapter_range', { first: number, last }) : phrase('cli.chapter', { number }),
  );
}

/** Returns the view after an event. */
export function fold(view: RunView, event: RunEvent): RunView {
  const { data } = event;
  switch (event.type) {
    case 'run_status':
      return foldStatus(view, data);
    case 'node_complete':
      return foldNode(view, String(data['node']), Number(data['chapter'] ?? 0));
    case 'state_updated':
      return foldState(view, data);
    case 'validation_ran':
      return foldValidation(view, data);
    case 'checkpoint_saved':
      return data['validated'] === true && view.chapter
        ? { ...view, chapter: { ...view.chapter, activity: translate(phrase('cli.saved')), done: true } }
        : view;
    default:
      return view;
  }
}

function foldStatus(view: RunView, data: Record<string, unknown>): RunView {
  const waiting = (data['waiting_for'] as { node: string }[] | undefined)?.[0]?.node;
  const label =
    typeof data['label'] === 'string'
      ? renderText(data['phrase'] as Phrase | null | undefined, data['label'])
      : view.label;
  const activity = waiting && activityOf(waiting, label);
  const chapter = view.chapter && activity ? { ...view.chapter, activity } : view.chapter;
  return {
    ...view,
    ...(label === undefined ? {} : { label }),
    status: String(data['status']),
    node: waiting ?? view.node,
    chapter,
  };
}

function foldNode(view: RunView, node: string, number: number): RunView {
  if (node !== 'agent' && node !== 'tools') return { ...view, node };
  const isSame = view.chapter?.number === number;
  const before = isSame ? view.chapter : undefined;
  const chapter = {
    issues: 0,
    ...before,
    number,
    title: view.chapters[number - 1],
    activity: translate(phrase('cli.writing')),
    done: false,
  };
  return { ...view, node, chapter };
}

function foldState(view: RunView, data: Record<string, unknown>): RunView {
  const outline = data['document_outline'] as OutlineEntry[] | undefined;
  const chapters = outline?.filter(({ level }) => level === 1).map(({ title }) => title) ?? view.chapters;
  const coverage = typeof data['coverage'] === 'number' ? data['coverage'] : view.coverage;
  const { chapter } = view;
  return {
    ...view,
    chapters,
    coverage,
    chapter: chapter && { ...chapter, title: chapters[chapter.number - 1] },
  };
}

function foldValidation(view: RunView, data: Record<string, unknown>): RunView {
  const issues = Number(data['issue_count'] ?? 0);
  const coverage = typeof data['coverage'] === 'number' ? data['coverage'] : view.coverage;
  const activity = translate(
    data['passed'] === true ? phrase('cli.validated') : phrase('cli.rewriting', { count: issues }),
  );
  const bytes = (data['coverage_report'] as CoverageReport | null | undefined)?.bytes;
  const byteCoverage = bytes ? carriedShare(bytes) : view.byteCoverage;
  return { ...view, coverage, byteCoverage, chapter: view.chapter && { ...view.chapter, issues, activity } };
}

/** Returns the coverage, with bytes if lines are missing: few lines may contain most of a source. */
export function carriedText(lines: number | null, bytes: number | null): string {
  if (lines === null) return '';
  return lines === 1 || bytes === null
    ? percent(lines)
    : translate(phrase('cli.coverage_with_bytes', { lines: percent(lines), bytes: percent(bytes) }));
}

/** Formats a share with one decimal, rounded down, so that 100 % means all. */
export const percent = (share: number) => `${formatNumber(Math.floor(share * 1000) / 10, 1)} %`;
