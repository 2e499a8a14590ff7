import { passagesBlock } from '#kit/graph/passages.js';
import { DATA_RULE, promptOf, tagged } from '#kit/graph/tagged.js';
import { PATCH_RULE, REWORDING_RULE } from '#writing/revision.js';
import type { Heading } from '../contract/values.js';
import type { ArticleState, Section } from '../graph/state.js';

/** Rises with every change of a prompt; recorded with each run. */
export const ARTICLE_PROMPT_VERSION = 'article.v8';

/** The same for every operation of an author's article, so that prompts share their beginning. */
export const DESK = `You work at an editorial desk on the article described in <brief>, as its researcher, writer and editor. Each request ends with one task.
${DATA_RULE}`;

export const SOURCES_RULE = `- Take every figure, date, name, quotation, comparison and causal claim from a passage, and end the sentence with the id of that passage, such as [^s2]. Several passages may support one sentence: [^s2][^s5]. Readers check these notes.
- Quote word for word, or do not use quotation marks.
- When passages disagree, say so and cite both.
- When no passage supports a point, leave it out. A shorter article is better than an invented sentence.`;

export const CRAFT = `Open with something concrete (a person, a scene, a figure). One idea in a paragraph. Active verbs, specific nouns. Say at the first mention who a person is and where a place lies, as far as the passages tell. Leave out filler ("It is important to note"), summaries that repeat, and lists where prose will do.
Example: The harbour froze in January 1893, and for nine days no boat left it.[^s4] The baker blamed the council; the minutes blame the ice.[^s4][^s7]`;

const WORDING_ONLY =
  'Change wording only: every figure, date, name, quotation, address, piece of code and note such as [^s2] stays as it is, in its paragraph. Readers rely on them. A sentence that becomes two repeats its note in both.';

export const STYLIST = `You edit a text so that it reads like the texts in <examples>, by the same author.
${DATA_RULE}
${WORDING_ONLY}`;

/** System prompt for reviewing a text without a corpus. */
export const GENERAL_STYLIST = `You copy-edit a text: mistakes of spelling, grammar and punctuation, and sentences that a reader has to read twice. The author's voice stays.
${DATA_RULE}
${WORDING_ONLY}`;

export const GENERAL_EDITOR = `You review a text as a copy editor, for an author who decides about each remark.
${DATA_RULE}
Answer with one JSON object and nothing else.`;

export const GENERAL_FAULTS =
  'has mistakes of spelling, grammar or punctuation, contradicts itself, or is hard to understand; leave matters of taste and the front matter alone';

export const EDITOR = `You compare a text with the style of the texts in <examples>, for an author who decides about each remark.
${DATA_RULE}
Answer with one JSON object and nothing else.`;

export const REPURPOSER = `You rewrite an article for readers on another platform. They have not read the article.
${DATA_RULE}
- State facts, figures, names and quotations only as the article gives them: a reader may compare the two.
Answer with one JSON object and nothing else.`;

export const JSON_ONLY = 'Answer with one JSON object and nothing else.';

export const PATCH_FORM = `${JSON_ONLY} ${PATCH_RULE}
Example: {"edits": [{"op": "replace", "paragraph_id": "3fa9c01b77", "text": "The harbour froze in January 1893.[^s4]"}]}`;

export const REWORDING_FORM = `${JSON_ONLY} ${REWORDING_RULE}
Example: {"edits": [{"paragraph_id": "3fa9c01b77", "text": "In January 1893 the harbour froze.[^s4]"}]}`;

type Brief = Pick<ArticleState, 'topic' | 'keywords' | 'inputs'>;

/** Returns the person's request as lines of data. */
export function brief({ topic, keywords, inputs }: Brief): string {
  const lines = [
    `Topic: ${topic}`,
    keywords.length > 0 && `Keywords: ${keywords.join(', ')}`,
    `Language: ${inputs.language ?? 'that of the topic'}`,
    inputs.words !== undefined && `Length: about ${inputs.words} words, or as many as the passages support`,
  ];
  return tagged('brief', lines.filter(Boolean).join('\n'));
}

/** The part that the prompts of an article begin with, byte for byte, so that a provider's cache serves it. */
export const prefix = (state: ArticleState): string => promptOf(brief(state), passagesBlock(state.passages));

export const outline = (headings: Heading[]): string =>
  headings.map(({ level, title }) => `${'#'.repeat(level)} ${title}`).join('\n');

export const headingsBlock = (headings: Heading[]): string => tagged('headings', outline(headings));

/** The title and the sections of the article with their points. */
export function planBlock(title: Heading[], sections: Section[]): string {
  const planned = sections.map(
    ({ heading, points }) =>
      `${'#'.repeat(heading.level)} ${heading.title}\n${points.map((point) => `- ${point}`).join('\n')}`,
  );
  return tagged('plan', [outline(title), ...planned].join('\n'));
}

export const research = (report: string): string => tagged('report', report);
export const article = (text: string): string => tagged('article', text);

/** Passages of the corpus as examples of its style. */
export const examples = (fragments: { text: string }[]): string =>
  tagged('examples', fragments.map(({ text }) => text).join('\n\n---\n\n'));
