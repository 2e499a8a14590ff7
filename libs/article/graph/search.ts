import { firstSentences } from '../offline/report.js';
import { RunFailure } from '#engine/kind.js';
import type { Heading, ResearchSource } from '../contract/values.js';
import type { ArticlePorts, FoundPassage } from './ports.js';
import type { ArticleState, ResearchPassage } from './state.js';

/** Passages per search: for the whole topic, one heading, and one question. */
const OF_TOPIC = 12;
const OF_HEADING = 4;
const OF_QUESTION = 3;
/** Maximum number of passages per article, since they are in the state and in prompts; more only for added headings. */
export const MAX_PASSAGES = 48;
const MAX_SUMMARY = 400;

/** Passages and sources that the searches found. */
export type Found = Pick<ArticleState, 'passages' | 'research_sources'>;
type Subject = Pick<ArticleState, 'topic' | 'keywords' | 'headings'>;

/** Returns the headings below the title. */
export const below = <T extends Heading>(headings: T[]): T[] => headings.filter(({ level }) => level > 1);

/** Returns the searches to make: the person's headings, or null for the topic alone. */
export function firstHeadings({ headings }: Pick<ArticleState, 'headings'>): (string | null)[] {
  const given = below(headings).map(({ title }) => title);
  return given.length > 0 ? given : [null];
}

function queryOf({ topic, keywords }: Pick<ArticleState, 'topic' | 'keywords'>, heading: string | null) {
  const query = [topic, ...keywords, heading ?? ''].join(' ').trim();
  return { query, limit: heading === null ? OF_TOPIC : OF_HEADING };
}

/** Lets the provider start the first search while the steps before the research run. */
export function prepareResearch(research: ArticlePorts['research'], state: Subject): void {
  const { query, limit } = queryOf(state, firstHeadings(state)[0]!);
  research.prepare?.(query, limit);
}

/**
 * Adds the results for each heading (null for the topic alone) to the known passages, beyond the maximum if that is
 * reached, so that each heading has passages. Stops when the searches of the run are used up.
 *
 * @returns also the headings that were searched
 * @throws RunFailure `research_quota` if there are no passages at all
 */
export async function searchHeadings(
  ports: ArticlePorts,
  state: Subject & Found,
  headings: (string | null)[],
  key: string,
): Promise<{ found: Found; searched: string[]; isUsedUp: boolean }> {
  let found: Found = { passages: state.passages, research_sources: state.research_sources };
  const searched: string[] = [];
  for (const [i, heading] of headings.entries()) {
    const { query, limit } = queryOf(state, heading);
    try {
      const results = await ports.research.find(query, limit, `${key}/research/${i}`);
      const most = Math.max(MAX_PASSAGES, found.passages.length + (heading === null ? 0 : OF_HEADING));
      found = addPassages(found, results, heading, most).found;
      if (heading !== null) searched.push(heading);
    } catch (error) {
      if (!isQuotaUsedUp(error) || found.passages.length === 0) throw error;
      return { found, searched, isUsedUp: true };
    }
  }
  return { found, searched, isUsedUp: false };
}

/** Returns whether an error says that a run has made all the searches that it may make. */
export const isQuotaUsedUp = (error: unknown): boolean =>
  error instanceof RunFailure && error.code === 'research_quota';

/** Adds the beginning of each source that the author named and that no search found. */
export async function addUnfound(ports: ArticlePorts, found: Found): Promise<Found> {
  const ids = new Set(found.passages.map(({ source_id }) => source_id));
  return addPassages(found, (await ports.research.unfound?.(ids)) ?? [], null).found;
}

/** Adds the results for a question to the known passages. @returns also the labels of the results */
export async function searchQuestion(
  ports: ArticlePorts,
  before: Found,
  query: string,
  key: string,
): Promise<{ found: Found; labels: string[] }> {
  return addPassages(before, await ports.research.find(query, OF_QUESTION, key), null);
}

/** Adds new passages up to `most`; a known passage only gets the heading added. */
function addPassages(
  { passages: before, research_sources: known }: Found,
  results: FoundPassage[],
  heading: string | null,
  most = MAX_PASSAGES,
): { found: Found; labels: string[] } {
  const passages = [...before];
  const research_sources = [...known];
  const labels: string[] = [];
  const of = heading === null ? [] : [heading];
  for (const { url, summary, kind, collection_id, fetched_at, ...result } of results) {
    const at = passages.findIndex(({ id }) => id === result.id);
    const there = passages[at];
    if (!there && passages.length >= most) continue;
    const label = there?.label ?? `s${passages.length + 1}`;
    labels.push(label);
    if (there) {
      passages[at] = { ...there, headings: [...new Set([...there.headings, ...of])] };
      continue;
    }
    passages.push({ ...result, label, headings: of } satisfies ResearchPassage);
    const { source_id, source_title: title, author, date, span, text } = result;
    const shortened = (summary ?? firstSentences(text)).slice(0, MAX_SUMMARY);
    research_sources.push({
      label,
      url,
      title,
      summary: shortened,
      kind,
      author,
      date,
      span,
      collection_id,
      source_id,
      fetched_at,
    } satisfies ResearchSource);
  }
  return { found: { passages, research_sources }, labels };
}
