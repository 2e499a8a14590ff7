import { englishText, phrase } from '#contracts/phrases/phrase.js';
import { synonymsOf, translationsOf } from '../tools/retrieval/synonyms.js';
import { TermIndex } from '../tools/retrieval/term-index.js';
import { termsOf } from '../tools/retrieval/terms.js';
import { planTemplates, type KnownTemplate } from './catalogue.js';

let index: TermIndex | null = null;

/** Returns all templates; those that share words with a request come first. */
export function templatesFor(request: string): KnownTemplate[] {
  index ??= new TermIndex(
    planTemplates.map((template) => termsOf(wordsOf(template))),
    { k1: 2, b: 0.75 },
  );
  const scores = index.scores(termsOf(request));
  return planTemplates
    .map((template, place) => ({ template, score: scores[place]! }))
    .sort((a, b) => b.score - a.score)
    .map(({ template }) => template);
}

/** Returns the words by which a template is found, those of its tools in three languages. */
const wordsOf = ({ name, tasks }: KnownTemplate): string =>
  [
    englishText(phrase(`plan_template.${name}`)),
    englishText(phrase(`plan_template.${name}.about`)),
    ...tasks.flatMap(({ tool }) => [synonymsOf(tool), translationsOf(tool)]),
  ].join(' ');
