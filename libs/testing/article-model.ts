import { splitParagraphs } from '#writing/paragraphs.js';
import type { StubAnswer, StubReply, StubRequest } from './model-stub.js';

/** Operations of article runs that call the model. */
type ArticleOperation =
  | 'research_questions'
  | 'assess_research'
  | 'research_report'
  | 'propose_headings'
  | 'plan_article'
  | 'author_draft'
  | 'revise_article'
  | 'correct_article'
  | 'author_style'
  | 'review_claims'
  | 'shadow_analyze'
  | 'shadow_annotate'
  | 'repurpose';

/** Words of a prompt that identify its operation. */
const ANSWERS: [ArticleOperation, string][] = [
  ['research_questions', 'Task: list the questions'],
  ['assess_research', 'Task: compare <questions>'],
  ['research_report', 'Task: write the research report'],
  ['propose_headings', 'Task: propose the headings'],
  ['plan_article', 'Task: plan the article'],
  ['author_draft', 'Task: write the article in markdown'],
  ['author_style', 'Task: reword the paragraphs'],
  ['review_claims', 'Task: check <draft> against <passages>'],
  ['shadow_analyze', 'Task: say where the text'],
  ['shadow_annotate', 'Task: correct the paragraphs that <remarks>'],
  ['repurpose', 'in the language of the article. At most'],
  ['correct_article', 'Task: correct the draft'],
  ['revise_article', 'Task: revise the draft'],
];

export const promptOf = ({ messages }: StubRequest): string =>
  messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n');

const json = (value: unknown): StubAnswer => ({ text: JSON.stringify(value) });

/** Returns edits of the draft in a prompt; `replacements` maps the beginning of a paragraph to its new text. */
export function edits(prompt: string, replacements: Record<string, string>): StubAnswer {
  const ids = new Map([...prompt.matchAll(/<<(\w+)>>\n([^\n]*)/g)].map(([, id, begins]) => [begins!, id!]));
  return json({
    edits: Object.entries(replacements).map(([begins, text]) => ({
      op: 'replace',
      paragraph_id: [...ids].find(([words]) => words.startsWith(begins))?.[1] ?? 'none',
      text,
    })),
  });
}

type Scripted = StubReply | ((request: StubRequest) => StubReply);

/** A model for article tests: sends the scripted replies of each operation in order, then the replies of a good model. */
export class ArticleModel {
  readonly requests: { operation: ArticleOperation; request: StubRequest }[] = [];
  private readonly replies = new Map<ArticleOperation, Scripted[]>();

  /** Sets the next replies of an operation; earlier ones are dropped. */
  will(operation: ArticleOperation, ...replies: Scripted[]): void {
    this.replies.set(operation, replies);
  }

  /** Drops the scripted replies and the recorded requests. */
  reset(): void {
    this.replies.clear();
    this.requests.length = 0;
  }

  readonly respond = (request: StubRequest): StubReply => {
    const prompt = promptOf(request);
    const operation = ANSWERS.find(([, words]) => prompt.includes(words))?.[0];
    if (!operation) throw new Error('The request is of no operation of an article.');
    this.requests.push({ operation, request });
    const scripted = this.replies.get(operation)?.shift();
    if (typeof scripted === 'function') return scripted(request);
    return scripted ?? this.usual(operation, prompt);
  };

  private usual(operation: ArticleOperation, prompt: string): StubAnswer {
    switch (operation) {
      case 'research_questions':
        return json({
          questions: [{ perspective: 'newcomer', question: 'What is it?', queries: ['what it is'] }],
        });
      case 'assess_research':
        return json({ answered: [{ id: 'q1', passages: ['s1'] }] });
      case 'research_report':
        return { text: '## What is known\n\nThe passage speaks of it.[^s1]\n' };
      case 'propose_headings':
        return json({
          headings: [
            { level: 1, title: 'A title' },
            { level: 2, title: 'The first part', points: ['all of it'], labels: ['s1'] },
            { level: 2, title: 'The second part' },
          ],
        });
      case 'plan_article':
        return json({ sections: [{ title: 'The first part', points: ['all of it'], labels: ['s1'] }] });
      case 'author_draft':
        return { text: draftOf(prompt) };
      case 'review_claims':
        return json({ findings: [], proofs: [] });
      case 'repurpose':
        return json({ parts: [] });
      case 'shadow_analyze':
        return json({ remarks: [] });
      default:
        return json({ edits: [] });
    }
  }
}

/** Returns a draft with the headings planned in the prompt and two cited paragraphs under each. */
function draftOf(prompt: string): string {
  const planned = /<plan>\n([^]*?)\n<\/plan>/.exec(prompt)?.[1] ?? '';
  const headings = splitParagraphs(planned).flatMap(({ kind, text }) => (kind === 'heading' ? [text] : []));
  return headings
    .flatMap((heading, n) =>
      heading.startsWith('# ')
        ? [heading]
        : [
            heading,
            `Part ${n} begins with what the passage says.[^s1]`,
            `Part ${n} ends with more of it.[^s1]`,
          ],
    )
    .join('\n\n');
}
