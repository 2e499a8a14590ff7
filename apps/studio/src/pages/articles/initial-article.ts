import { jsonOf } from '#contracts/lenient.js';
import type { Schemas } from '#catalogue/named-schemas.js';

/** What the form of an article begins with. */
export interface InitialArticle {
  mode: 'author' | 'shadow';
  topic: string;
  keywords: string[];
  /** Requested length; empty for what the sources give. */
  words: number | '';
  text: string;
  isGeneral: boolean;
  isWebOnly: boolean;
  /** Addresses of pages. */
  pages: string[];
  /** Session of an earlier run with the files that it named; null for a new article. */
  earlier: { sessionId: string; files: string[] } | null;
  /** Inputs that the form does not show. */
  others: Record<string, unknown>;
}

/** What the form uses of an earlier run. */
type EarlierRun = Pick<Schemas['Run'], 'mode' | 'title' | 'session_id'> & {
  progress: Pick<Schemas['Run']['progress'], 'details'>;
};

interface Inputs {
  topic?: string;
  keywords?: string[];
  words?: number;
  user_text?: string;
  sources?: string[];
  research?: string;
  rules?: string;
}

/**
 * Returns what the form of an article begins with after an earlier run.
 *
 * @param json inputs of the run; undefined if it ended before its first step, and cut off if they are very long
 * @param files inputs of its session
 */
export function initialArticle(
  run: EarlierRun,
  json: string | undefined,
  files: readonly { name: string }[],
): InitialArticle {
  // Cut off, they are not known completely.
  const inputs = jsonOf(json ?? '') as (Inputs & Record<string, unknown>) | undefined;
  const { topic, keywords, words, user_text, sources, research, rules, ...others } = inputs ?? {};
  const mode = run.mode === 'shadow' ? 'shadow' : 'author';
  const shown = (run.progress.details as { topic?: string | null }).topic ?? run.title ?? '';
  const isFile = (name: string) => files.some((file) => file.name === name);
  // Files are uploaded for an article only if it names them.
  const named = inputs ? (sources ?? []) : files.map(({ name }) => name);
  const kept = named.filter(isFile);
  return {
    mode,
    topic: mode === 'author' ? (topic ?? shown) : '',
    keywords: keywords ?? [],
    words: words ?? '',
    text: user_text ?? '',
    isGeneral: rules === 'general',
    isWebOnly: research === 'web',
    pages: named.filter((name) => !isFile(name)),
    earlier: kept.length === 0 ? null : { sessionId: run.session_id, files: kept },
    others: research === undefined || research === 'web' ? others : { ...others, research },
  };
}

/** What the form of a new article begins with. */
export const NO_ARTICLE = initialArticle(
  { mode: 'author', title: null, session_id: '', progress: { details: {} } },
  '{}',
  [],
);
