import type { NeedsModel } from '#contracts/errors.js';
import { phrase, englishText } from '#contracts/phrases/phrase.js';
import { synonymsOf } from './tools/retrieval/synonyms.js';
import { termsOf, TermIndex } from './tools/retrieval/terms.js';
import { planTemplates, type KnownTemplate } from './templates/catalogue.js';

/** Returns why a plan needs a model, and the templates that need none, best first; null for a given plan (X21). */
export function needsModel({ intent, dag }: { intent?: unknown; dag?: unknown }): NeedsModel | null {
  if (typeof intent !== 'string' || dag !== undefined) return null;
  const alternatives = templatesFor(intent).map(({ name }) => name);
  return { detail: phrase('needs_model.plan', { templates: alternatives.join(', ') }), alternatives };
}

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
    ...tasks.map(({ tool }) => synonymsOf(tool)),
  ].join(' ');
