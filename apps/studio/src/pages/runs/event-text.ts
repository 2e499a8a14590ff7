import type { Phrase } from '#contracts/phrases/render.js';
import type { MessageParams } from '../../i18n/messages.js';
import type { EventFacts, EventNames } from './event-names.js';

type Word = (name: string) => string;

/** What the sentence of an event is made of. */
export interface EventWords {
  t: (key: string, params?: MessageParams & { defaultValue?: string }) => string;
  /** Display names of the service's terms; `tool` is empty for a tool of an MCP server. */
  words: Record<'node' | 'stage' | 'question' | 'kind' | 'choice' | 'tool', Word>;
  /** Renders a text of the service in the reader's language. */
  render: (phrase: Phrase | null | undefined, english: string) => string;
  names: EventNames;
  format: Record<'formatNumber' | 'formatPercent', (value: number) => string>;
}

type Data = EventFacts['data'];
type Sentence = (data: Data, words: EventWords, event: EventFacts) => string;

/** Maximum characters of a streamed text in its sentence. */
const TEXT_CHARS = 400;

const text = (data: Data, name: string): string => (typeof data[name] === 'string' ? data[name] : '');
const number = (data: Data, name: string): number => (typeof data[name] === 'number' ? data[name] : 0);
const list = (data: Data, name: string): unknown[] => (Array.isArray(data[name]) ? data[name] : []);

/** Returns a text of the service: the phrase next to it in the reader's language, or its English text. */
const given = (data: Data, name: string, { render }: EventWords): string =>
  render(data['phrase'] as Phrase | null | undefined, text(data, name));

/** Returns the problem of a failed run or step: its message, or its text. */
function problem(data: Data, words: EventWords): string {
  const error = data['error'];
  return typeof error === 'object' && error !== null
    ? given(error as Data, 'message', words)
    : given(data, 'error', words);
}

/** Returns what a decision is about. */
const question = (data: Data, { names, words }: EventWords): string =>
  words.question(
    text(data, 'decision_type') || (names.decisions.get(text(data, 'decision_id')) ?? 'question'),
  );

const chapter = (data: Data, { names }: EventWords): number | undefined =>
  typeof data['number'] === 'number' ? data['number'] : names.chapters.get(text(data, 'chapter_id'));

/** Returns a step of a plan by its ID and what its tool does. */
function planStep(data: Data, { words }: EventWords): string {
  const tool = text(data, 'tool');
  return `${text(data, 'task_id')} (${words.tool(tool) || tool})`;
}

const runStatus: Sentence = (data, words, { seq }) => {
  const { t, names } = words;
  const status = text(data, 'status');
  if (status === 'running') return t(seq === names.begin ? 'event.begins' : 'event.continues');
  if (status !== 'waiting') return ended(data, words);
  const nodes = list(data, 'waiting_for').map((task) => words.words.node(text(task as Data, 'node')));
  return t('event.waits', { what: [...new Set(nodes)].join(', ') });
};

const ended = (data: Data, words: EventWords): string => {
  const status = text(data, 'status');
  const line = words.t('event.status', { status: words.t(`runStatus.${status}`, { defaultValue: status }) });
  return status === 'failed' ? `${line} ${problem(data, words)}` : line;
};

const answered: Sentence = (data, words) => {
  const { t } = words;
  const what = question(data, words);
  if (data['by'] === 'deadline') return t('event.nobodyAnswered', { what });
  const answer = (data['answer'] ?? {}) as Data;
  const choice = text(answer, 'action') || text(answer, 'choice');
  return choice === ''
    ? t('event.answered', { what })
    : t('event.answeredBy', { what, choice: words.words.choice(choice) });
};

/** Names what changed: the plan says how far it is or what was replanned, a document in which step it changed. */
const stateUpdated: Sentence = (data, { t, words }) => {
  if (list(data, 'context_keys').includes('dag_replanned'))
    return t('event.replanned', {
      added: list(data, 'added').length,
      dropped: list(data, 'dropped').length,
    });
  if (typeof data['done'] === 'number') return t('event.planProgress', { count: data['done'] });
  return t('event.state', { node: words.node(text(data, 'node')) });
};

const validated: Sentence = (data, { t, format }) => {
  const result =
    data['passed'] === true ? t('event.valid') : t('event.invalid', { count: number(data, 'issue_count') });
  if (typeof data['coverage'] !== 'number') return result;
  return `${result} ${t('run.coverage', { share: format.formatPercent(data['coverage']) })}.`;
};

const rolledBack: Sentence = (data, { t, names }) => {
  const label = names.checkpoints.get(text(data, 'checkpoint_id'));
  return label === undefined ? t('event.rolledBack') : t('event.rolledBackTo', { label });
};

const taskProgress: Sentence = (data, words) => {
  const { format } = words;
  const total = typeof data['total'] === 'number' ? ` / ${format.formatNumber(data['total'])}` : '';
  const parts = [text(data, 'message'), `${format.formatNumber(number(data, 'progress'))}${total}`];
  return `${planStep(data, words)}: ${parts.filter(Boolean).join(' · ')}`;
};

const SENTENCES: Record<string, Sentence> = {
  run_status: runStatus,
  token: (data, { t }) => t('event.streamed', { text: text(data, 'text').slice(0, TEXT_CHARS) }),
  // How long it took is shown with the step, which includes the wait for a worker.
  node_complete: (data, { t, words }) => t('event.node', { node: words.node(text(data, 'node')) }),
  hitl_pause: (data, words) => words.t('event.paused', { what: question(data, words) }),
  decision_required: (data, words) => words.t('event.asked', { question: given(data, 'question', words) }),
  decision_answered: answered,
  state_updated: stateUpdated,
  child_run: (data, { t, words }) =>
    t('event.child', {
      kind: words.kind(text(data, 'kind')),
      status: t(`runStatus.${data['status'] === 'waiting' ? 'needs_answer' : text(data, 'status')}`),
    }),
  fallback_used: (data, { t, words }) => t('event.byRules', { stage: words.stage(text(data, 'stage')) }),
  done: (data, words) => ended(data, words),
  validation_ran: validated,
  checkpoint_saved: (data, { t }) => t('event.saved', { label: text(data, 'label') }),
  rollback_performed: rolledBack,
  rollback_skipped: (_, { t }) => t('event.notRolledBack'),
  chapter_researched: (data, words) =>
    words.t('event.chapterResearched', {
      number: chapter(data, words) ?? '',
      round: number(data, 'round'),
      open: number(data, 'open'),
      questions: number(data, 'questions'),
    }),
  chapter_reviewed: (data, words) =>
    words.t(data['revise'] === true ? 'event.chapterToRevise' : 'event.chapterReviewed', {
      number: chapter(data, words) ?? '',
      score: words.format.formatNumber(number(data, 'score')),
    }),
  chapter_persisted: (data, words) =>
    words.t('event.chapterSaved', {
      number: chapter(data, words) ?? '',
      title: text(data, 'title'),
      count: number(data, 'words'),
    }),
  chapter_kept: (data, words) =>
    words.t('event.chapterKept', {
      number: chapter(data, words) ?? '',
      title: text(data, 'title'),
      version: number(data, 'version'),
    }),
  outline_saved: (data, { t }) => t('event.outline', { count: number(data, 'chapters') }),
  duplicate_detected: (data, { t }) => t('event.duplicate', { article: text(data, 'article') }),
  research_round: (data, { t }) =>
    t('event.researchRound', {
      round: number(data, 'round'),
      open: number(data, 'open'),
      questions: number(data, 'questions'),
    }),
  research_done: (data, { t }) => t('event.researchDone', { count: number(data, 'sources') }),
  draft_written: (data, { t }) => t('event.draft', { count: number(data, 'words') }),
  article_repurposed: (data, { t }) => {
    const platforms = list(data, 'platforms').map((name) =>
      t(`articleResult.${String(name)}`, { defaultValue: String(name) }),
    );
    return t('event.repurposed', { platforms: platforms.join(', ') });
  },
  article_saved: (data, { t }) => t('event.articleSaved', { topic: text(data, 'topic') }),
  change_proposed: (data, { t }) => t('event.proposed', { count: number(data, 'findings') }),
  review_read: (data, { t }) => t('event.reviewRead', { count: number(data, 'proposals') }),
  plan_created: (data, { t }) => t('event.plan', { count: list(data, 'tasks').length }),
  tools_found_by_words: (_, { t }) => t('event.foundByWords'),
  layer_started: (data, { t }) => t('event.layer', { number: number(data, 'layer') + 1 }),
  task_progress: taskProgress,
  task_complete: (data, words) => words.t('event.taskDone', { task: planStep(data, words) }),
  task_error: (data, words) => `${planStep(data, words)}: ${problem(data, words)}`,
  task_skipped: (data, words) => words.t('event.taskSkipped', { task: planStep(data, words) }),
  plan_decision: (data, { t }) =>
    t('event.decided', {
      action: t(`planAction.${text(data, 'action')}`),
      by: t(`planBy.${text(data, 'by')}`),
    }),
  ail_failed: (data, words) =>
    words.t(data['action_taken'] === 'ask' ? 'event.agentFailedAsk' : 'event.agentFailed', {
      problem: problem(data, words),
    }),
  hil_timeout: (data, { t }) =>
    t('event.notApproved', { action: t(`planAction.${text(data, 'action_taken')}`) }),
  replan_failed: (data, words) => words.t('event.replanFailed', { problem: problem(data, words) }),
  command_refused: (data, { t }) => {
    const type = text(data, 'type');
    return t('event.late', { command: t(`planCommand.${type}`, { defaultValue: type }) });
  },
  graphrag_update_failed: (_, { t }) => t('event.notLearned'),
};

/** Returns what happened, as a sentence; empty for an event of a newer service. */
export const eventText = (event: EventFacts, words: EventWords): string =>
  Object.hasOwn(SENTENCES, event.type) ? SENTENCES[event.type]!(event.data, words, event) : '';
