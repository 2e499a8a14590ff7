import { depotDrafts } from './depots.js';
import { museumDrafts } from './museum.js';
import { observatoryDrafts } from './observatory.js';

export interface SeededDraft {
  language: 'en' | 'pl';
  text: string;
  /** Findings of a human editor: rule and position. */
  seeded: { rule: string; start: number; end: number }[];
}

const MARK = /⟦([a-z_]+)\|([^⟧]*)⟧/g;

const drafts = (language: 'en' | 'pl', marked: string[]): SeededDraft[] =>
  marked.map((one) => draftOf(one, language));

function draftOf(marked: string, language: 'en' | 'pl'): SeededDraft {
  const seeded: SeededDraft['seeded'] = [];
  let text = '';
  let at = 0;
  for (const match of marked.matchAll(MARK)) {
    text += marked.slice(at, match.index);
    seeded.push({ rule: match[1]!, start: text.length, end: text.length + match[2]!.length });
    text += match[2]!;
    at = match.index + match[0].length;
  }
  return { language, text: text + marked.slice(at), seeded };
}

/** Drafts for the corpora of `examples/article`. */
export const depotSet = [...drafts('en', depotDrafts.en), ...drafts('pl', depotDrafts.pl)];
/** Drafts for the corpora in `museum.ts` and `observatory.ts`, by other authors with other conventions. */
export const magazineSet = [...drafts('en', museumDrafts), ...drafts('pl', observatoryDrafts)];
