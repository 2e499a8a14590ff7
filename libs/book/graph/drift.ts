import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { Finding } from '#contracts/findings.js';
import type { BookProfile } from '../contract/profile.js';
import { finding } from '#writing/findings.js';
import { isKnownLanguage, languageOf } from '#writing/language.js';
import { splitParagraphs, type Paragraph } from '#writing/paragraphs.js';
import { fingerprintOf } from '#writing/style/fingerprint.js';
import { styleLanguageOf, type StyleLanguage } from '#writing/style/lexicon/languages.js';
import { measure, type MeasureName } from '#writing/style/measures.js';
import { readProse } from '#writing/style/prose.js';
import { reviewStyle } from '#writing/style/review.js';
import type { ChapterText } from './texts.js';

/**
 * Measures that readers notice. Measures that depend on the subject, such as word length, say nothing about drift and
 * are absent.
 */
const AUDIBLE = [
  'sentence_words',
  'paragraph_words',
  'first_person_singular_per_1000',
  'first_person_plural_per_1000',
  'second_person_per_1000',
  'passive_share',
  'past_share',
  'exclamations_per_1000',
] as const satisfies readonly MeasureName[];
type AudibleMeasure = (typeof AUDIBLE)[number];

const FORMAL =
  /\b(?:formal|academic|scholarly|neutral|förmlich|formell|sachlich|wissenschaftlich|akademisch|formaln\p{L}*|naukow\p{L}*)/iu;

/** Limits that the tone of a profile sets for a measure. */
const TONES: { tone: RegExp; measure: AudibleMeasure; most: number }[] = [
  {
    tone: /\b(?:plain|simple|clear|schlicht\p{L}*|einfach\p{L}*|klar\p{L}*|prost\p{L}*|jasn\p{L}*)/iu,
    measure: 'sentence_words',
    most: 25,
  },
  {
    tone: FORMAL,
    measure: 'exclamations_per_1000',
    most: 2,
  },
  {
    tone: FORMAL,
    measure: 'second_person_per_1000',
    most: 10,
  },
];

/**
 * Deviation, in standard deviations of the accepted chapter's sections, that counts as drift; maximum number
 * of findings.
 */
const DRIFTED = 4;
const MOST_TOLD = 3;
/** Minimum number of sections for measuring how much a style varies. */
const FEWEST_SECTIONS = 2;

/**
 * Finds deviations of a draft from the style of its book (B26): from the author's language and tone, and from
 * the manner of the first accepted chapter. Each finding points to the paragraph that deviates most.
 *
 * @param others the other chapters
 */
export function checkDrift(content: string, profile: BookProfile, others: ChapterText[]): Finding[] {
  if (content.trim() === '') return [];
  const paragraphs = splitParagraphs(content);
  const language = styleLanguageOf(content);
  const draft: Draft = { content, paragraphs, language };
  const [first] = others.filter(({ accepted }) => accepted).sort((a, b) => a.number - b.number);
  const asked = profile.language?.slice(0, 2).toLowerCase() ?? languageOf(first?.content ?? '');
  const written = languageOf(content);
  if (asked !== null && isKnownLanguage(asked) && written !== null && !areAlike(asked, written))
    return [
      finding(content, paragraphs, {
        rule: 'language_drift',
        severity: 'error',
        message: phrase('finding.drift.language', { asked: profile.language ?? asked, written }),
      }),
    ];
  const foreign = asked !== null && isKnownLanguage(asked) ? foreignParagraph(draft, asked) : [];
  return [...foreign, ...toneDrift(draft, profile), ...(first ? mannerDrift(draft, first) : [])];
}

/** Characters without quotations from which the language of a paragraph is reliable. */
const MIN_PARAGRAPH = 150;

/** Finds the first paragraph of a chapter that is in another language than the chapter. */
function foreignParagraph({ content, paragraphs }: Draft, asked: string): Finding[] {
  for (const { kind, text, start, end } of paragraphs) {
    const own = text.replace(/[“„«"][^“”„«»"]{0,2000}[”“»"]/gu, ' ').trim();
    const written = kind === 'paragraph' && own.length >= MIN_PARAGRAPH ? languageOf(own) : null;
    if (written === null || areAlike(asked, written)) continue;
    const message = phrase('finding.drift.language_of_paragraph', { asked, written });
    const span = { start, end };
    return [finding(content, paragraphs, { rule: 'language_drift', severity: 'error', message, span })];
  }
  return [];
}

/** Languages that the detection mistakes for each other in short texts. */
const ALIKE = ['da no', 'cs sk', 'hr sl'];
const areAlike = (a: string, b: string): boolean =>
  a === b || ALIKE.some((group) => group.includes(a) && group.includes(b));

interface Draft {
  content: string;
  paragraphs: Paragraph[];
  language: StyleLanguage;
}

function toneDrift(draft: Draft, { tone }: BookProfile): Finding[] {
  if (tone === undefined) return [];
  const figures = measure(readProse(draft.content), draft.language);
  return TONES.filter((asked) => asked.tone.test(tone) && figures[asked.measure] > asked.most).map(
    (asked) => {
      const { measure: name, most } = asked;
      const message = phrase('finding.drift.tone', {
        tone,
        figure: rounded(figures[name]),
        measure: phrase(`measure.${name}`),
        most,
      });
      return drift(draft, name, 1, message, []);
    },
  );
}

function mannerDrift(draft: Draft, first: ChapterText): Finding[] {
  const sections = first.content.split(/^(?=## )/m).filter((text) => text.trim() !== '');
  if (sections.length < FEWEST_SECTIONS) return [];
  const corpus = fingerprintOf(sections.map((text, n) => ({ title: String(n), text })));
  return reviewStyle(draft.content, corpus)
    .deviations.filter(({ distance }) => Math.abs(distance) >= DRIFTED)
    .flatMap(({ measure: name, ...deviation }) => (isAudible(name) ? [{ ...deviation, measure: name }] : []))
    .slice(0, MOST_TOLD)
    .map(({ measure: name, text, corpus: usual, distance }) => {
      const message = phrase('finding.drift.manner', {
        figure: rounded(text),
        measure: phrase(`measure.${name}`),
        title: first.title,
        usual: rounded(usual),
      });
      const evidence = [{ text: first.content.slice(0, 200), of: first.chapter_id, span: null }];
      return drift(draft, name, Math.sign(distance), message, evidence);
    });
}

const isAudible = (name: string): name is AudibleMeasure => (AUDIBLE as readonly string[]).includes(name);
const rounded = (figure: number): number => Math.round(figure * 100) / 100;

/** Returns a finding at the paragraph with the highest or lowest value of the measure. */
function drift(
  { content, paragraphs, language }: Draft,
  name: MeasureName,
  direction: number,
  message: Phrase,
  evidence: Finding['evidence'],
): Finding {
  const figures = paragraphs
    .filter(({ kind }) => kind === 'paragraph')
    .map(({ start, end }) => ({
      span: { start, end },
      figure: direction * measure(readProse(content.slice(start, end)), language)[name],
    }));
  const farthest = figures.reduce<(typeof figures)[number] | null>(
    (most, one) => (most === null || one.figure > most.figure ? one : most),
    null,
  );
  const span = farthest?.span ?? null;
  return finding(content, paragraphs, { rule: 'style_drift', severity: 'warning', message, span, evidence });
}
