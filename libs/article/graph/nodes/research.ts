import { askModel, fallbackFacts, withStage } from '#kit/graph/node.js';
import { runRemotely } from '#kit/graph/remote.js';
import { stepKey } from '#kit/graph/step.js';
import { researchAnswerSchema, type Heading, type ResearchSource } from '../../contract/values.js';
import { citeSources } from '#writing/cite-sources.js';
import { headingsFrom, sectionOf } from '../../offline/headings.js';
import { firstSentences } from '../../offline/report.js';
import { planArticle, proposeHeadings, writeReport } from '../../prompts/operations.js';
import type { ArticlePorts, FoundPassage } from '../ports.js';
import {
  failed,
  personsWords,
  rejected,
  createMessage,
  type ArticleNodeFunction,
  type ArticleState,
  type ArticleUpdate,
  type ResearchPassage,
  type Section,
} from '../state.js';

/** Passages per search: for the whole topic, and for one heading. */
const OF_TOPIC = 12;
const OF_HEADING = 4;
/** Maximum number of passages per article, since they are in the state and in prompts. */
const MAX_PASSAGES = 48;
const MAX_SUMMARY = 400;

type Research = Pick<ArticleState, 'passages' | 'research_sources' | 'researched'>;

/**
 * A3, A6: searches for the topic, or for each heading that the person gave. Then writes a report that cites the
 * sources, and proposes headings.
 */
export function authorResearch(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    const key = stepKey(config);
    const research = await search(ports, state, firstHeadings(state), key);
    if (research.passages.length === 0)
      return failed(
        'no_sources',
        'Nothing was found on the topic. Add sources to a collection, or rephrase the topic.',
      );
    const found = { ...state, ...research };
    const written = await askModel(ports, writeReport(found), config);
    const proposed =
      state.headings.length > 0 ? state.headings : await askHeadings(ports, found, written, config);
    const headings = withTitle(proposed ?? headingsFrom(state.topic, research.passages), state.topic);
    const passages = proposed ? research.passages : inTheirSections(research.passages);
    const report = written ?? (await ports.rules.report(state.topic, headings, passages));
    const report_key = await ports.keep(citeSources(report, research.research_sources));
    ports.emit({
      type: 'research_done',
      data: { sources: research.research_sources.length, passages: passages.length },
      effectKey: `${key}/research_done`,
    });
    return {
      ...research,
      researched: [...research.researched, ...below(headings).map(({ title }) => title)],
      passages,
      headings,
      research_report: report,
      research_findings: await ports.rules.citations(report, passages, personsWords({ ...state, headings })),
      report_key,
      fallback_stages: withStage(
        withStage(state.fallback_stages, written ? null : 'research_report'),
        proposed ? null : 'propose_headings',
      ),
      messages: [createMessage('desk', `The research found ${research.research_sources.length} sources.`)],
    };
  };
}

function askHeadings(
  ports: ArticlePorts,
  state: ArticleState,
  report: string | null,
  config: Parameters<ArticleNodeFunction>[1],
): Promise<Heading[] | null> {
  return report === null ? Promise.resolve(null) : askModel(ports, proposeHeadings(state, report), config);
}

const below = (headings: Heading[]): Heading[] => headings.filter(({ level }) => level > 1);

function withTitle(headings: Heading[], topic: string): Heading[] {
  return headings[0]?.level === 1 ? headings : [{ level: 1, title: topic.slice(0, 300) }, ...headings];
}

const inTheirSections = (passages: ResearchPassage[]): ResearchPassage[] =>
  passages.map((passage) => ({ ...passage, headings: [sectionOf(passage)] }));

/** Returns the searches to make: the person's headings, or null for the topic alone. */
function firstHeadings({ headings }: Pick<ArticleState, 'headings'>): (string | null)[] {
  const given = below(headings).map(({ title }) => title);
  return given.length > 0 ? given : [null];
}

function questionOf({ topic, keywords }: Pick<ArticleState, 'topic' | 'keywords'>, heading: string | null) {
  const query = [topic, ...keywords, heading ?? ''].join(' ').trim();
  return { query, limit: heading === null ? OF_TOPIC : OF_HEADING };
}

type Subject = Pick<ArticleState, 'topic' | 'keywords' | 'headings'>;

/** Lets the provider start the first search while the steps before the research run. */
export function prepareResearch(research: ArticlePorts['research'], state: Subject): void {
  const { query, limit } = questionOf(state, firstHeadings(state)[0]!);
  research.prepare?.(query, limit);
}

/** Adds the results for each heading (null for the topic alone) to the known passages. */
async function search(
  ports: ArticlePorts,
  state: ArticleState,
  headings: (string | null)[],
  key: string,
): Promise<Research> {
  const passages = [...state.passages];
  const sources = [...state.research_sources];
  for (const [i, heading] of headings.entries()) {
    const { query, limit } = questionOf(state, heading);
    for (const found of await ports.research.find(query, limit, `${key}/research/${i}`))
      take(found, heading, passages, sources);
  }
  const asked = headings.flatMap((heading) => heading ?? []);
  return { passages, research_sources: sources, researched: [...state.researched, ...asked] };
}

/** Adds a passage; if it is known, only adds the heading to it. */
function take(
  { url, summary, ...found }: FoundPassage,
  heading: string | null,
  passages: ResearchPassage[],
  sources: ResearchSource[],
): void {
  const of = heading === null ? [] : [heading];
  const at = passages.findIndex(({ id }) => id === found.id);
  const there = passages[at];
  if (there) {
    passages[at] = { ...there, headings: [...new Set([...there.headings, ...of])] };
    return;
  }
  if (passages.length >= MAX_PASSAGES) return;
  const label = `s${passages.length + 1}`;
  passages.push({ ...found, label, headings: of });
  const told = (summary ?? firstSentences(found.text)).slice(0, MAX_SUMMARY);
  sources.push({ label, url, title: found.source_title, summary: told });
}

/** A3: lets a person read and change the report and the headings. At the deadline, continues unchanged. */
export function approveResearch(ports: ArticlePorts): ArticleNodeFunction {
  return async (state): Promise<ArticleUpdate> => {
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'article_research',
      question: `The research on "${state.topic}" is complete. Approve the report and the headings, or change them.`,
      context: fallbackFacts(state.fallback_stages),
      details: {
        report: state.research_report,
        headings: state.headings,
        sources: state.research_sources,
        findings: state.research_findings,
      },
      deadline_seconds: ports.settings.decisionDeadlineSeconds,
      default_answer: { action: 'approve' },
    });
    if (!outcome.ok) return failed(outcome.error.code, outcome.error.message);
    const { action, report, headings } = researchAnswerSchema.parse(outcome.output);
    if (action === 'stop')
      return rejected('research_stopped', 'A person stopped the article after the research.');
    const changed = report !== undefined && report !== state.research_report;
    return {
      headings: headings ? withTitle(headings, state.topic) : state.headings,
      ...(changed
        ? {
            research_report: report,
            report_key: await ports.keep(citeSources(report, state.research_sources)),
          }
        : {}),
      messages: [createMessage('person', headings || changed ? 'Approved with changes.' : 'Approved.')],
    };
  };
}

/** A3: plans the content of each heading and its passages. Searches for headings that a person added. */
export function authorStructure(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    const known = new Set([...state.researched, ...state.passages.flatMap(({ headings }) => headings)]);
    const added = below(state.headings).filter(({ title }) => !known.has(title));
    const research = await search(
      ports,
      state,
      added.map(({ title }) => title),
      stepKey(config),
    );
    const planned = await askModel(ports, planArticle({ ...state, ...research }), config);
    const labels = new Set(research.passages.map(({ label }) => label));
    const sections = below(state.headings).map((heading): Section => {
      const plan = planned?.find(({ title }) => title.trim() === heading.title);
      const found = research.passages.filter(({ headings }) => headings.includes(heading.title));
      return {
        heading,
        points: plan?.points ?? [],
        labels: plan?.labels.filter((label) => labels.has(label)) ?? found.map(({ label }) => label),
      };
    });
    return {
      ...research,
      sections,
      fallback_stages: withStage(state.fallback_stages, planned ? null : 'plan_article'),
    };
  };
}
