import { detailOf } from '#contracts/phrases/detail.js';
import { contextOf, questionOf } from '#contracts/decision-request.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { askModel, fallbackFacts, withStage, stepKey } from '#kit/graph/node.js';
import { runRemotely } from '#kit/graph/remote.js';
import { researchAnswerSchema, type Heading } from '../../contract/values.js';
import { citeSources } from '#writing/citations.js';
import { addQuestions, publicQuestions } from '#writing/research/rounds.js';
import { headingsFrom, sectionOf } from '../../offline/report.js';
import {
  proposeHeadings,
  writeReport as reportOperation,
  type ProposedHeading,
} from '../../prompts/operations.js';
import { reviewCitations } from '../citations.js';
import type { ArticlePorts } from '../ports.js';
import { below } from '../search.js';
import {
  failed,
  rejected,
  createMessage,
  type ArticleNodeFunction,
  type ArticleState,
  type ArticleUpdate,
  type ResearchPassage,
  type Section,
} from '../state.js';
import { nothingFound } from './research.js';

/** A3, A6: writes a report that cites the sources, and proposes headings unless there are some. */
export function writeReport(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    if (state.passages.length === 0) return nothingFound();
    const key = stepKey(config);
    const written = await askModel(ports, reportOperation(state), config);
    const planned = state.headings.length > 0 ? null : await askHeadings(ports, state, written, config);
    const proposed = state.headings.length > 0 ? state.headings : planned;
    const headings = withTitle(
      proposed?.map(({ level, title }) => ({ level, title })) ?? headingsFrom(state.topic, state.passages),
      state.topic,
    );
    const passages = inTheirSections(state.passages, headings, proposed === null);
    const report = written ?? (await ports.rules.call('report', state.topic, headings, passages));
    const { findings, stage } = await reviewCitations(
      ports,
      { ...state, passages, headings },
      report,
      written !== null,
      config,
    );
    const report_key = await ports.keep(citeSources(report, state.research_sources));
    ports.emit({
      type: 'research_done',
      data: { sources: state.research_sources.length, passages: passages.length },
      effectKey: `${key}/research_done`,
    });
    return {
      // Proposed headings rest on what was found; those of a person are searched for.
      researched: [
        ...state.researched,
        ...(state.headings.length > 0 ? [] : below(headings).map(({ title }) => title)),
      ],
      passages,
      headings,
      sections: proposedSections(planned ?? [], passages),
      research_report: report,
      research_findings: findings,
      report_key,
      fallback_stages: [
        written ? null : 'research_report',
        proposed ? null : 'propose_headings',
        stage,
      ].reduce<string[]>(withStage, state.fallback_stages),
      messages: [createMessage('desk', `The research found ${state.research_sources.length} sources.`)],
    };
  };
}

function askHeadings(
  ports: ArticlePorts,
  state: ArticleState,
  report: string | null,
  config: Parameters<ArticleNodeFunction>[1],
): Promise<ProposedHeading[] | null> {
  return report === null ? Promise.resolve(null) : askModel(ports, proposeHeadings(state, report), config);
}

/** Returns the content of the headings below the title as proposed; none unless a heading has points. */
function proposedSections(proposed: ProposedHeading[], passages: ResearchPassage[]): Section[] {
  const known = new Set(passages.map(({ label }) => label));
  const sections = below(proposed).map(({ level, title, points = [], labels = [] }) => ({
    heading: { level, title },
    points,
    labels: labels.filter((label) => known.has(label)),
  }));
  return sections.some(({ points }) => points.length > 0) ? sections : [];
}

function withTitle(headings: Heading[], topic: string): Heading[] {
  return headings[0]?.level === 1 ? headings : [{ level: 1, title: topic.slice(0, 300) }, ...headings];
}

/**
 * Assigns passages to the heading of their section: all of them if the headings are derived from the sections, else
 * only the passages that were not found for a heading.
 */
function inTheirSections(
  passages: ResearchPassage[],
  headings: Heading[],
  isAll: boolean,
): ResearchPassage[] {
  const titles = new Set(headings.map(({ title }) => title));
  return passages.map((passage) => {
    const section = sectionOf(passage);
    const isPlaced = isAll || (passage.headings.length === 0 && titles.has(section));
    return isPlaced ? { ...passage, headings: [section] } : passage;
  });
}

/** A3: lets a person read and change the report and the headings; continues unchanged at the deadline. */
export function approveResearch(ports: ArticlePorts): ArticleNodeFunction {
  return async (state): Promise<ArticleUpdate> => {
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'article_research',
      ...questionOf(phrase('question.article_research', { topic: state.topic })),
      ...contextOf(fallbackFacts(state.fallback_stages)),
      details: {
        report: state.research_report,
        headings: state.headings,
        sources: state.research_sources,
        findings: state.research_findings,
        questions: publicQuestions(state.research_questions),
        conflicts: state.research_conflicts,
        rounds: state.research_rounds,
        end: state.research_end,
      },
      deadline_seconds: ports.settings.decisionDeadlineSeconds,
      default_answer: { action: 'approve' },
    });
    if (!outcome.ok) return failed(outcome.error.code, detailOf(outcome.error));
    const { action, report, headings, questions = [] } = researchAnswerSchema.parse(outcome.output);
    if (action === 'stop') return rejected('research_stopped', phrase('run_error.research_stopped'));
    const kept = headings ? withTitle(headings, state.topic) : state.headings;
    if (action === 'search')
      return {
        headings: kept,
        research_questions: addQuestions(state.research_questions, questions.map(fromEditor), Infinity),
        research_rounds: 0,
        research_end: null,
        messages: [createMessage('person', `Asked for: ${questions.join(' ')}`)],
      };
    const changed = report !== undefined && report !== state.research_report;
    return {
      headings: kept,
      ...(changed
        ? {
            research_report: report,
            sections: [],
            report_key: await ports.keep(citeSources(report, state.research_sources)),
          }
        : {}),
      messages: [createMessage('person', headings || changed ? 'Approved with changes.' : 'Approved.')],
    };
  };
}

const fromEditor = (question: string) => ({ perspective: 'editor', question, queries: [question] });
