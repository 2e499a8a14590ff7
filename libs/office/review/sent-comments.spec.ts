import type { WordComment } from './marked-text.js';
import { withoutSent } from './sent-comments.js';

const comment = (author: string, text: string, parent: number | null = null): WordComment => ({
  ...{ author, text, parent, date: '2026-11-28T12:00:00.123Z', start: 0, end: 0 },
});
/** As another program writes it: times without milliseconds. */
const rewritten = (each: WordComment): WordComment => ({ ...each, date: '2026-11-28T12:00:00Z' });

describe('withoutSent', () => {
  const sent = [comment('Ann', 'Why?'), comment('Bob', 'Because.', 0)];

  it('X9 leaves out comments that were sent, also with other IDs and times', () => {
    const returned = [...sent.map(rewritten)].reverse().map((each) => ({ ...each, parent: null }));
    expect(withoutSent(sent, returned)).toEqual({ own: [], replies: [] });
  });

  it('X9 finds the thread of a reply, and renumbers the other threads', () => {
    const returned = [
      ...[rewritten(sent[0]!), comment('Cid', 'New'), rewritten(sent[1]!)],
      ...[comment('Dan', 'To Bob', 2), comment('Eve', 'To Cid', 1), comment('Cid', 'To Dan', 3)],
    ];
    const { own, replies } = withoutSent(sent, returned);
    expect(own.map(({ text, parent, repliesTo }) => [text, parent, repliesTo])).toEqual([
      ['New', null, null],
      ['To Cid', 0, null],
    ]);
    const first = { author: 'Ann', date: sent[0]!.date };
    expect(replies.map(({ text, parent, repliesTo }) => [text, parent, repliesTo])).toEqual([
      ['To Bob', null, first],
      ['To Dan', null, first],
    ]);
  });

  it('X9 keeps a comment whose words were changed, and ends where comments reply to each other', () => {
    const returned = [rewritten(comment('Ann', 'Why not?')), comment('Bob', 'a', 2), comment('Bob', 'b', 1)];
    expect(withoutSent(sent, returned).own.map(({ text }) => text)).toEqual(['Why not?', 'a', 'b']);
  });
});
