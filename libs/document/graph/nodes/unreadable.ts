import { contextOf, questionOf } from '#contracts/decision-request.js';
import { detailOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase, type PhraseCode, type Phrase } from '#contracts/phrases/phrase.js';
import { failureState } from '#kit/graph/failure-state.js';
import type { Unreadable, DecidedEncodings, Undecoded } from '../../contract/tasks.js';
import { runRemotely } from '#kit/graph/remote.js';
import type { DocumentPorts } from '../ports.js';
import type { DocumentState, DocumentUpdate } from '../state.js';
import { z } from 'zod';

/** Maximum number of alternative readings shown in addition to the guess. */
const MAX_OTHERS = 3;
const MAX_FACTS = 50;

/**
 * D7: asks for the encoding of text that is neither UTF-8 nor marked by a byte order mark. The guess is the
 * default. The scan then uses the answer.
 */
export function encodingDecision(settings: DocumentPorts['settings']) {
  return (state: DocumentState): DocumentUpdate => {
    const files = state.undecoded;
    const guesses = { encodings: Object.fromEntries(files.map(({ name, guess }) => [name, guess])) };
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'encodings',
      ...questionOf(phrase('question.encodings', { count: files.length })),
      ...contextOf(files.flatMap(factsOf).slice(0, MAX_FACTS)),
      details: { files },
      deadline_seconds: settings.decisionDeadlineSeconds,
      default_answer: guesses,
    });
    const answer = answerSchema.parse(outcome.ok ? outcome.output : guesses).encodings;
    const by = (outcome.ok && outcome.answered?.by) || 'deadline';
    const encodings: DecidedEncodings = {};
    for (const [name, encoding] of Object.entries(answer)) encodings[name] = { encoding, by };
    return { encodings, undecoded: [], status: 'scanning_assets' };
  };
}

const answerSchema = z.object({ encodings: z.record(z.string(), z.string()) });

function factsOf({ name, confidence, offers }: Undecoded): Phrase[] {
  const [guess] = offers;
  // Show each distinct reading once.
  const readings = new Map(offers.map((offer) => [offer.preview, offer] as const).reverse());
  const others = [...readings.values()].reverse().filter(({ preview }) => preview !== guess?.preview);
  const facts = { name, encoding: guess?.encoding ?? '', preview: guess?.preview ?? '' };
  return [
    confidence > 0
      ? phrase('fact.encoding.likely', { ...facts, percent: Math.round(confidence * 100) })
      : phrase('fact.encoding.guess', facts),
    ...others
      .slice(0, MAX_OTHERS)
      .map(({ encoding, preview }) => phrase('fact.encoding.other', { encoding, preview })),
  ];
}

const NOT_INSTALLED: PhraseCode = 'unreadable.needs_libre_office';

const reasonOf = ({ reason: message, phrase }: Unreadable): Detail => detailOf({ message, phrase });

/**
 * D4: if other inputs can be read, asks whether to omit the unreadable inputs, which is the default and noted in the
 * document, or to end the run. Inputs of a format that this installation does not read are omitted without a question.
 */
export function unreadableDecision(settings: DocumentPorts['settings']) {
  return (state: DocumentState): DocumentUpdate => {
    const files = state.unreadable;
    const leftOut = {
      unreadable: [],
      left_out: [...state.left_out, ...files],
      status: 'scanning_assets' as const,
    };
    const damaged = files.filter(({ phrase: known }) => known?.code !== NOT_INSTALLED);
    if (damaged.length === 0) return leftOut;
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'unreadable_files',
      ...questionOf(phrase('question.unreadable_files', { count: damaged.length })),
      ...contextOf(damaged.slice(0, MAX_FACTS).map(reasonOf)),
      details: { files: damaged },
      deadline_seconds: settings.decisionDeadlineSeconds,
      default_answer: { action: 'leave_out' },
    });
    if (outcome.ok && outcome.output.action === 'abort') {
      const detail = phrase('run_error.extraction_failed', { reason: reasonOf(damaged[0]!) });
      return { unreadable: [], status: 'failed', ...failureState('extraction_failed', detail) };
    }
    return leftOut;
  };
}
