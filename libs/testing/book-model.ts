import type { StubAnswer, StubReply, StubRequest } from './model-stub.js';

/** Operations of book runs that call the model (B13). */
export type BookOperation =
  | 'generate_outline'
  | 'refine_outline'
  | 'research_questions'
  | 'assess_research'
  | 'plan_chapter'
  | 'draft_chapter'
  | 'revise_chapter'
  | 'review_chapter'
  | 'assist_profile';

/** Words of a prompt that identify its operation. */
const ANSWERS: [BookOperation, string][] = [
  ['refine_outline', 'Task: turn <feedback> into operations'],
  ['generate_outline', 'Task: Give chapters'],
  ['research_questions', 'Task: list the questions'],
  ['assess_research', 'Task: compare <questions>'],
  ['plan_chapter', 'Task: plan the chapter'],
  ['draft_chapter', 'Task: write the chapter in markdown'],
  ['revise_chapter', 'Task: revise the'],
  ['review_chapter', 'Task: review the draft'],
  ['assist_profile', 'Task: give the next step of the conversation'],
];

const textOf = ({ messages }: StubRequest): string =>
  messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n');

function operationOf(request: StubRequest): BookOperation {
  const text = textOf(request);
  const found = ANSWERS.find(([, words]) => text.includes(words));
  if (!found) throw new Error('The request is of no operation of a book.');
  return found[0];
}

/** Returns a chapter with sections of about `words` words in all; no sentence repeats. `name` makes the text unique. */
export function chapterOf(name: string, words: number): string {
  const sentences = Array.from(
    { length: Math.ceil(words / 8) },
    (_, n) => `${name} tells of ${name}${n} and then of other${name}${n} too.`,
  );
  const paragraphs = Array.from({ length: Math.ceil(sentences.length / 12) }, (_, n) =>
    sentences.slice(n * 12, (n + 1) * 12).join(' '),
  );
  return `## On ${name}\n\n${paragraphs.join('\n\n')}\n`;
}

export const json = (value: unknown): StubAnswer => ({ text: JSON.stringify(value) });
/** Returns a review with the same score in each category, and a severe finding if a revision is wanted. */
export const reviewWith = (score: number, should_revise = false): StubAnswer => {
  const structure = { kind: 'structure', why: 'It is out of order.', severity: 'severe' };
  const scores = { support: score, coverage: score, continuity: score, structure: score, style: score };
  return json({ findings: should_revise ? [structure] : [], scores });
};

/** A model for book tests: sends the scripted replies of each operation in order, then the replies of a good model. */
export class BookModel {
  readonly requests: { operation: BookOperation; request: StubRequest }[] = [];
  private readonly replies = new Map<BookOperation, StubReply[]>();

  constructor(private readonly words = 950) {}

  /** Sets the next replies of an operation; earlier ones are dropped. */
  will(operation: BookOperation, ...replies: StubReply[]): void {
    this.replies.set(operation, replies);
  }

  /** Drops the scripted replies and the recorded requests. */
  reset(): void {
    this.replies.clear();
    this.requests.length = 0;
  }

  readonly respond = (request: StubRequest): StubReply => {
    const operation = operationOf(request);
    this.requests.push({ operation, request });
    return this.replies.get(operation)?.shift() ?? this.usual(operation, textOf(request));
  };

  private usual(operation: BookOperation, prompt: string): StubAnswer {
    const title = /^Chapter \d+: (.*)$/m.exec(prompt)?.[1]?.replace(/\W/g, '') ?? 'Nothing';
    switch (operation) {
      case 'generate_outline': {
        const [, from = '1', to = '1'] = /Give chapters (\d+) to (\d+)/.exec(prompt) ?? [];
        return json({ synopsis: 'What it is about.', chapters: outlineOf(Number(from), Number(to)) });
      }
      case 'refine_outline':
        return json({ operations: [{ op: 'rename', chapter: 1, title: 'Part1', reason: 'asked for' }] });
      case 'research_questions':
        return json({ questions: [{ perspective: 'newcomer', question: 'What is it?', queries: [title] }] });
      case 'assess_research':
        return json({ answered: [{ id: 'q1', passages: ['s1'] }] });
      case 'plan_chapter':
        return json({ intent: 'To tell it.', sections: [{ title: `On ${title}`, points: ['all'] }] });
      case 'draft_chapter':
        return { text: chapterOf(title, this.words) };
      case 'revise_chapter':
        return json({ edits: [] });
      case 'review_chapter':
        return reviewWith(90);
      case 'assist_profile':
        return json({ assistant_reply: 'Tell me more.', field_updates: {} });
    }
  }
}

function outlineOf(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, n) => ({
    title: `Part${from + n}`,
    summary: `What part ${from + n} tells.`,
    sections: [{ title: `On part ${from + n}`, points: [] }],
    terms: [],
  }));
}
