import { runEventTypes } from '#catalogue/events.js';
import { readFileSync } from 'node:fs';
import type { Locale } from '#contracts/phrases/catalogue.js';
import { messageOf } from '../../apps/studio/src/i18n/messages.js';
import {
  eventText,
  namesIn,
  type EventFacts,
  type EventWords,
} from '../../apps/studio/src/pages/runs/event-text.js';

const LANGUAGES = ['en', 'de', 'pl'];

/** One event of each type, as the service sends them, except for the IDs. */
const DATA: Record<string, Record<string, unknown>> = {
  run_status: {
    status: 'waiting',
    label: 'x',
    waiting_for: [{ task_id: 'tsk_1', task: 'validate_md', node: 'validate_md' }],
  },
  token: { text: 'Once', node: 'agent', operation: 'draft_chapter' },
  node_complete: { node: 'scan_assets', ms: 12, chapter: 1 },
  hitl_pause: { decision_id: 'dec_1' },
  decision_required: {
    decision_id: 'dec_1',
    decision_type: 'plan_approval',
    question: 'May it?',
    phrase: null,
  },
  decision_due: {
    decision_id: 'dec_1',
    decision_type: 'plan_approval',
    deadline: '2026-11-30T09:00:00.000Z',
  },
  decision_answered: { decision_id: 'dec_1', by: 'key_1', answer: { action: 'approve' } },
  state_updated: { node: 'agent', status: 'processing' },
  child_run: { run_id: 'run_2', task_id: 'tsk_1', kind: 'document', status: 'waiting' },
  fallback_used: { stage: 'plan' },
  done: { status: 'failed', error: { code: 'x', message: 'It broke.' } },
  validation_ran: { passed: false, issue_count: 2, coverage: 0.5 },
  checkpoint_saved: { checkpoint_id: 'chk_1', label: 'Chapter 1', validated: true },
  rollback_performed: { checkpoint_id: 'chk_1' },
  rollback_skipped: { checkpoint_id: null, reason: 'no checkpoint yet' },
  chapter_researched: { chapter_id: 'chp_1', round: 2, questions: 3, open: 1, conflicts: 0 },
  chapter_reviewed: { chapter_id: 'chp_1', number: 4, score: 81, revise: true },
  chapter_persisted: { chapter_id: 'chp_1', number: 4, title: 'Nets', score: 81, words: 900 },
  chapter_kept: { chapter_id: 'chp_1', number: 4, title: 'Nets', score: 81, new_score: 70, version: 3 },
  outline_saved: { chapters: 3 },
  duplicate_detected: { article: 'Nets' },
  research_round: { round: 1, questions: 3, open: 1, passages: 2, end: null },
  research_done: { sources: 2, passages: 5 },
  draft_written: { words: 300, iteration_count: 0 },
  article_repurposed: { platforms: ['linkedin', 'x_thread'] },
  article_saved: { topic: 'Nets', word_count: 300 },
  change_proposed: { findings: 0, acceptable: true },
  plan_created: { tasks: [{}, {}] },
  tools_found_by_words: { stage: 'plan' },
  layer_started: { layer: 0, tasks: ['t1'] },
  task_progress: { task_id: 't1', tool: 'list_inputs', progress: 1, total: 2, message: 'half' },
  task_complete: { task_id: 't1', tool: 'list_inputs', layer: 0 },
  task_error: { task_id: 't1', tool: 'list_inputs', layer: 0, error: { message: 'It broke.', phrase: null } },
  task_skipped: { task_id: 't1', tool: 'list_inputs', layer: 0 },
  plan_decision: { type: 'hil', action: 'approve', by: 'default', checkpoint_id: 'c1' },
  ail_failed: { code: 'x', error: 'It broke.', action_taken: 'ask' },
  hil_timeout: { checkpoint_id: 'c1', action_taken: 'abort' },
  replan_failed: { code: 'x', error: 'It broke.', action_taken: 'continue' },
  command_refused: { command_id: 'cmd_1', type: 'approval_response' },
  graphrag_update_failed: { error: 'It broke.' },
};

const EVENTS: EventFacts[] = runEventTypes.map((type, n) => ({
  seq: n + 1,
  type,
  data: DATA[type] ?? {},
}));

function wordsIn(language: string, events: readonly EventFacts[] = EVENTS): EventWords {
  const { studio } = JSON.parse(readFileSync(`libs/locales/${language}.json`, 'utf8')) as Locale;
  const t: EventWords['t'] = (key, { defaultValue = key, ...params } = {}) =>
    messageOf(studio, language, key, params) ?? defaultValue;
  const word = (group: string) => (name: string) => t(`${group}.${name}`, { defaultValue: name });
  return {
    t,
    words: {
      ...{ node: word('node'), stage: word('stage'), question: word('question'), kind: word('kind') },
      ...{ choice: word('choice'), tool: word('tool') },
    },
    render: (_, english) => english,
    names: namesIn(events),
    format: {
      formatNumber: String,
      formatPercent: (share) => String(share * 100),
    },
  };
}

const sentence = (type: string, data: Record<string, unknown> = {}, language = 'en') =>
  eventText(
    { ...EVENTS.find((event) => event.type === type)!, data: { ...DATA[type], ...data } },
    wordsIn(language),
  );

describe('X5 the sentence of a run’s event', () => {
  it('exists for every type in every language, complete and without IDs and keys of messages', () => {
    for (const language of LANGUAGES) {
      const words = wordsIn(language);
      for (const event of EVENTS) {
        const text = eventText(event, words);
        expect([language, event.type, text === '']).toEqual([language, event.type, false]);
        expect(text).not.toMatch(/[{}]|\b(?:chk|chp|dec|key|run|tsk|cmd)_\w+|\b[a-z]+[A-Za-z]*\.[a-z]\w*/);
        expect([language, words.t(`eventType.${event.type}`)]).not.toEqual([
          language,
          `eventType.${event.type}`,
        ]);
      }
    }
  });

  it('names what the event refers to by ID', () => {
    expect(sentence('decision_answered')).toBe('Answered: approval (approve).');
    expect(sentence('rollback_performed')).toBe('Returned to the version “Chapter 1”.');
    expect(sentence('chapter_researched')).toBe('Chapter 4, round 2 of the research: 1 of 3 questions open.');
    expect(sentence('rollback_performed', { checkpoint_id: 'chk_9' })).toBe(
      'Returned to an earlier version of the text.',
    );
  });

  it('says in the reader’s language what happened', () => {
    expect(sentence('run_status')).toBe('The run waits for: Check the chapter.');
    expect(sentence('run_status', {}, 'de')).toBe('Der Lauf wartet auf: Kapitel prüfen.');
    expect(sentence('done', {}, 'de')).toBe('Status des Laufs: fehlgeschlagen. It broke.');
    expect(sentence('command_refused', {}, 'de')).toBe('Ein Befehl kam zu spät: Antwort zur Freigabe.');
    expect(sentence('plan_created', {}, 'pl')).toBe('Plan jest gotowy: 2 zadania.');
  });

  it('tells the beginning of the work from its continuation', () => {
    const running = (seq: number): EventFacts => ({ ...EVENTS[0]!, seq, data: { status: 'running' } });
    const words = wordsIn('en', [running(2), running(7)]);
    expect([2, 7].map((seq) => eventText(running(seq), words))).toEqual([
      'Work on the run begins.',
      'Work on the run continues.',
    ]);
  });

  it('is empty for an event of a newer service, and for names that every object has', () => {
    for (const type of ['tea_served', 'constructor', '__proto__'])
      expect(eventText({ ...EVENTS[0]!, type }, wordsIn('en'))).toBe('');
  });
});
