import type { Phrase } from '#contracts/phrases/render.js';
import type { MessageParams } from '../../i18n/messages.js';

/** What names and sentences use of an event. */
export interface EventFacts {
  seq: number;
  type: string;
  data: Record<string, unknown>;
}

type Data = EventFacts['data'];
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

/** Names of what a run's events refer to by ID: types of decisions, labels of checkpoints, and numbers of chapters. */
interface EventNames {
  byId: ReadonlyMap<unknown, unknown>;
  /** `seq` of the event with which the work on the run began; null while it is queued. */
  begin: number | null;
}

/** Fields of an event that name what its ID refers to, by the field of that ID. */
const NAMES = { decision_id: 'decision_type', checkpoint_id: 'label', chapter_id: 'number' };

/** Returns the names of what the events refer to by ID. */
export function namesIn(events: readonly EventFacts[]): EventNames {
  const byId = new Map<unknown, unknown>();
  for (const { data } of events)
    for (const [id, name] of Object.entries(NAMES))
      if (data[id] != null && data[name] != null) byId.set(data[id], data[name]);
  const begin = events.find(({ type, data }) => type === 'run_status' && data['status'] === 'running');
  return { byId, begin: begin?.seq ?? null };
}

/** Maximum characters of a streamed text in its sentence. */
const TEXT_CHARS = 400;

const text = (data: Data, name: string): string => (typeof data[name] === 'string' ? data[name] : '');
const list = (data: Data, name: string): unknown[] => (Array.isArray(data[name]) ? data[name] : []);

/** Fields whose number, or number of entries, chooses the plural form of a sentence. */
const COUNTED: Record<string, string> = {
  ...{ validation_ran: 'issue_count', state_updated: 'done', outline_saved: 'chapters' },
  ...{ chapter_persisted: 'words', draft_written: 'words', research_done: 'sources' },
  ...{ change_proposed: 'findings', review_read: 'proposals', plan_created: 'tasks' },
};

/** Returns the message of an event whose data chooses among several. The message of any other has the name of its type. */
const MESSAGES: Record<string, (data: Data, names: EventNames, seq: number) => string> = {
  run_status: (data, { begin }, seq) => {
    if (data['status'] === 'running') return seq === begin ? 'begins' : 'continues';
    return data['status'] === 'waiting' ? 'waits' : ended(data);
  },
  done: (data) => ended(data),
  decision_answered: (data) => {
    if (data['by'] === 'deadline') return 'nobodyAnswered';
    return choiceIn(data) === '' ? 'answered' : 'answeredBy';
  },
  state_updated: (data) => {
    if (list(data, 'context_keys').includes('dag_replanned')) return 'replanned';
    return typeof data['done'] === 'number' ? 'planProgress' : 'state';
  },
  validation_ran: (data) =>
    (data['passed'] === true ? 'valid' : 'invalid') +
    (typeof data['coverage'] === 'number' ? 'Coverage' : ''),
  rollback_performed: (data, { byId }) => (byId.has(data['checkpoint_id']) ? 'rolledBackTo' : 'rolledBack'),
  chapter_reviewed: (data) => (data['revise'] === true ? 'chapterToRevise' : 'chapter_reviewed'),
  ail_failed: (data) => (data['action_taken'] === 'ask' ? 'agentFailedAsk' : 'ail_failed'),
};

const ended = ({ status }: Data): string => (status === 'failed' ? 'failed' : 'status');

function choiceIn(data: Data): string {
  const answer = (data['answer'] ?? {}) as Data;
  return text(answer, 'action') || text(answer, 'choice');
}

/** Returns a text of the service: the phrase next to it in the reader's language, or its English text. */
const given = (data: Data, name: string, { render }: EventWords): string =>
  render(data['phrase'] as Phrase | null | undefined, text(data, name));

/** Returns the values of the placeholders of an event's message. */
function paramsFor({ type, data }: EventFacts, all: EventWords): MessageParams {
  const { t, words, names, format } = all;
  const named = (group: string, name: string) => t(`${group}.${name}`, { defaultValue: name });
  const error = data['error'];
  const tool = text(data, 'tool');
  const counted = data[COUNTED[type] ?? ''];
  const waiting = list(data, 'waiting_for').map((task) => words.node(text(task as Data, 'node')));
  const asked = (data['decision_type'] ?? names.byId.get(data['decision_id']) ?? 'question') as string;
  const platforms = list(data, 'platforms').map((name) => named('articleResult', String(name)));
  const progress = [data['progress'], data['total']].flatMap((value) =>
    typeof value === 'number' ? [format.formatNumber(value)] : [],
  );
  return {
    ...Object.fromEntries(
      Object.entries(data).filter((field): field is [string, string | number] =>
        ['string', 'number'].includes(typeof field[1]),
      ),
    ),
    count: Array.isArray(counted) ? counted.length : ((counted as number | undefined) ?? 0),
    text: text(data, 'text').slice(0, TEXT_CHARS),
    node: words.node(text(data, 'node')),
    stage: words.stage(text(data, 'stage')),
    kind: words.kind(text(data, 'kind')),
    question: given(data, 'question', all),
    what: waiting.length > 0 ? [...new Set(waiting)].join(', ') : words.question(asked),
    choice: words.choice(choiceIn(data)),
    status: named('runStatus', data['status'] === 'waiting' ? 'needs_answer' : text(data, 'status')),
    label: text(data, 'label') || (names.byId.get(data['checkpoint_id']) as string | undefined),
    number: (data['number'] ?? names.byId.get(data['chapter_id']) ?? '') as string | number,
    score: format.formatNumber(Number(data['score'])),
    share: format.formatPercent(Number(data['coverage'])),
    added: list(data, 'added').length,
    dropped: list(data, 'dropped').length,
    platforms: platforms.join(', '),
    layer: Number(data['layer']) + 1,
    task: `${text(data, 'task_id')} (${words.tool(tool) || tool})`,
    progress: [text(data, 'message'), progress.join(' / ')].filter(Boolean).join(' · '),
    problem: error instanceof Object ? given(error as Data, 'message', all) : given(data, 'error', all),
    action: named('planAction', text(data, 'action') || text(data, 'action_taken')),
    by: named('planBy', text(data, 'by')),
    command: named('planCommand', text(data, 'type')),
  };
}

/** Returns what happened, as a sentence; empty for an event of a newer service. */
export function eventText(event: EventFacts, words: EventWords): string {
  const { type, data, seq } = event;
  const message = Object.hasOwn(MESSAGES, type) ? MESSAGES[type]!(data, words.names, seq) : type;
  return words.t(`event.${message}`, { ...paramsFor(event, words), defaultValue: '' });
}
