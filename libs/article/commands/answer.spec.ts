import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Decision } from '#cli/answers/choices.js';
import { askAboutArticle } from './write-run.js';

const QUESTIONS = {
  article_duplicate: { article: { topic: 'Nets', date: '2026-03-14T00:00:00.000Z' } },
  article_research: {
    report: 'Found.',
    headings: [{ level: 1, title: 'Nets' }],
    findings: [],
    sources: [
      {
        label: 's1',
        title: 'Ledger',
        author: 'Ada Finch',
        date: '1893-02-01',
        url: 'https://ledger.example/1',
      },
      { label: 's2', title: 'Letters', author: null, date: null, url: '/api/x' },
    ],
    questions: [
      { question: 'Who paid?', perspective: 'sceptic', status: 'open' },
      { question: 'When?', perspective: 'newcomer', status: 'answered' },
    ],
    conflicts: [
      {
        about: 'the price',
        sides: [
          { label: 's1', quote: '4 pounds' },
          { label: 's2', quote: '5 pounds' },
        ],
      },
    ],
  },
  article_draft: {
    draft: '# Nets\n\nMended in winter.\n',
    findings: [{ id: 'f1', message: 'no source' }],
    paragraphs: [{ id: 'p1' }, { id: 'p2' }],
  },
  article_shadow: { annotated_text: 'Nets are [sic] mended.' },
};

describe('a question about an article, at a terminal', () => {
  let headings: string;
  beforeAll(async () => {
    headings = join(await mkdtemp(join(tmpdir(), 'scriptorium-article-')), 'headings.md');
    await writeFile(headings, '# Knots\n\nWords.\n\n## Of a net\n');
  });
  afterAll(() => rm(join(headings, '..'), { recursive: true }));

  /** Types one line after each prompt; then closes the input. */
  async function ask(type: keyof typeof QUESTIONS, typed: string[]) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const shown = text(output.pipe(new PassThrough()));
    const lines = [...typed];
    output.on('data', (chunk: Buffer) => {
      if (!chunk.toString().endsWith('> ')) return;
      if (lines.length > 0) input.write(`${lines.shift()}\n`);
      else input.end();
    });
    const decision = { decision_type: type, details: QUESTIONS[type], question: 'Go on?' };
    const { signal } = new AbortController();
    const answer = askAboutArticle(decision as unknown as Decision, signal, { input, output });
    const settled = await answer.catch((error: Error) => error.message);
    output.end();
    return { answer: settled, shown: await shown };
  }

  it.each([
    ['article_duplicate', ['yes', 'continue'], { action: 'continue' }],
    ['article_research', ['accept', 'approve'], { action: 'approve' }],
    [
      'article_research',
      ['search', 'search Who paid the crew?'],
      { action: 'search', questions: ['Who paid the crew?'] },
    ],
    ['article_draft', ['reject', 'reject too long'], { action: 'reject', feedback: 'too long' }],
    [
      'article_draft',
      ['reject 3 why', 'reject 2 why'],
      { action: 'decide', paragraphs: [{ paragraph_id: 'p2', accepted: false, reason: 'why' }] },
    ],
    ['article_shadow', ['accept', 'reject too stiff'], { action: 'reject', reason: 'too stiff' }],
    ['article_shadow', ['stop'], { action: 'stop' }],
  ] as const)('%s accepts %j', async (type, typed, expected) => {
    const { answer, shown } = await ask(type, [...typed]);
    expect(answer).toEqual(expected);
    if (typed.length > 1) expect(shown).toContain(`"${typed[0]}" is not a valid answer: `);
  });

  it('reads the headings or the text from a file', async () => {
    expect((await ask('article_research', ['none.md', headings])).answer).toEqual({
      action: 'approve',
      headings: [
        { level: 1, title: 'Knots' },
        { level: 2, title: 'Of a net' },
      ],
    });
    expect((await ask('article_draft', [headings])).answer).toMatchObject({ action: 'edit' });
  });

  it('shows the subject of the question, and stops when the input is closed', async () => {
    const { answer, shown } = await ask('article_draft', []);
    expect(answer).toBe('No answer was given; the run is saved and still waits for one.');
    expect(shown).toContain('[2] Mended in winter.');
    expect(shown).toContain('! no source [f1]\n\nGo on?\n  accept, reject REASON, ');
    const research = await ask('article_research', []);
    expect(research.shown).toContain(
      'Sources:\n[s1] Ledger, Ada Finch, 1893-02-01  https://ledger.example/1\n[s2] Letters  /api/x\n? Who paid? (sceptic)\n! Sources disagree on the price: [s1] "4 pounds" (Ledger, Ada Finch, 1893-02-01); [s2] "5 pounds" (Letters)\n',
    );
    expect(research.shown).not.toContain('When?');
  });
});
