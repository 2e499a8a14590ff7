import { platforms } from '../contract/repurpose.js';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { anyMarkdown } from '#testing/any-markdown.js';
import { museumCorpus } from '#testing/style/museum.js';
import { observatoryCorpus } from '#testing/style/observatory.js';
import { factFindings, limitFindings, publishedParts, renderPiece } from './check.js';
import { composePiece, frequentTerms } from './compose.js';
import { repurposeArticle } from '../prompts/repurpose.js';
import { lengthOn, limitsOf } from '../contract/platforms.js';

const articles = [
  ...museumCorpus,
  ...observatoryCorpus,
  readFileSync('examples/article/corpus/01-queues.md', 'utf8'),
];
const piece = (platform: (typeof platforms)[number], parts: string[], more = {}) => ({
  platform,
  title: limitsOf[platform].titleLength > 0 ? 'A title' : null,
  parts,
  hashtags: [] as string[],
  ...more,
});
const rules = (found: { rule: string }[]) => found.map(({ rule }) => rule);

describe('A14 an article for four platforms', () => {
  it('by rules: contains only whole sentences of the article, within the limits', () => {
    for (const article of articles)
      for (const platform of platforms) {
        const made = composePiece(article, platform);
        expect(limitFindings(made)).toEqual([]);
        expect(factFindings(made, article)).toEqual([]);
        expect(made.parts.length).toBeGreaterThanOrEqual(platform === 'linkedin' ? 1 : 3);
        const bare = article.replace(/[*_`]/g, '').replace(/\s+/g, ' ');
        for (const part of made.parts.flatMap((one) => one.split('\n\n'))) {
          const [first] = part.split(/(?<=[.!?]) /);
          expect(bare).toContain(first);
        }
      }
  });

  it('is formatted as published: numbered posts, subject, scenes, hashtags at the end', () => {
    const [ferry] = museumCorpus;
    const thread = composePiece(ferry!, 'x_thread');
    expect(publishedParts(thread)[0]).toMatch(
      /^1\/\d+ When the Ellen Marsh went out of service on October 3, 1931,/,
    );
    expect(renderPiece({ ...thread, findings: [] })).toContain('\n\n---\n\n2/');
    expect(publishedParts(thread).at(-1)).toMatch(/ #\p{L}+/u);
    expect(renderPiece({ ...composePiece(ferry!, 'newsletter'), findings: [] })).toMatch(
      /^Subject: The Ferry That Would Not Sink\n\nWhen /,
    );
    const video = renderPiece({ ...composePiece(ferry!, 'video_script'), findings: [] });
    expect(video).toContain('# The Ferry That Would Not Sink\n\n**Scene 1**\n\n');
    expect(composePiece(ferry!, 'linkedin').parts[0]).toMatch(
      /^The Ferry That Would Not Sink\n\nWhen the Ellen Marsh/,
    );
  });

  it('counts characters as X does: addresses as 23, emoji and Chinese as 2, Polish letters as 1', () => {
    const count = (text: string) => lengthOn('x_thread', text);
    expect(count('Zażółć gęślą jaźń')).toBe(17);
    expect(count('e\u0301')).toBe(1);
    expect(count('日本')).toBe(4);
    expect([count('👍'), count('👨‍👩‍👧'), count('🇵🇱')]).toEqual([2, 2, 2]);
    expect(count(`see https://example.com/${'a'.repeat(300)}`)).toBe(27);
    expect(count('(https://example.com/a), https://example.com.')).toBe(2 * 23 + 5);
    expect(count('see example.com and www.example.pl/a-b')).toBe(2 * 23 + 9);
    expect(count('README.md of node.js, e.g. v1.2.3')).toBe(33);
    expect(count('“quoted” – words…')).toBe(18);
    expect(lengthOn('linkedin', '👍')).toBe(2);
  });

  it.each([
    ['a post that is too long', piece('x_thread', ['a'.repeat(281)]), ['part_too_long']],
    ['one that its number makes too long', piece('x_thread', ['a'.repeat(279), 'b']), ['part_too_long']],
    ['too many posts', piece('x_thread', Array(26).fill('a')), ['too_many_parts']],
    ['two posts where one is allowed', piece('linkedin', ['a', 'b']), ['too_many_parts']],
    [
      'too many hashtags',
      piece('x_thread', ['a'], { hashtags: ['one', 'two', 'three'] }),
      ['too_many_hashtags'],
    ],
    ['hashtags within the text', piece('newsletter', ['a #tag']), ['too_many_hashtags']],
    ['what is no hashtag', piece('linkedin', ['a'], { hashtags: ['two words', '2026'] }), ['no_hashtag']],
    ['a subject that is too long', piece('newsletter', ['a'], { title: 'a'.repeat(61) }), ['title_too_long']],
    ['a newsletter without a subject', piece('newsletter', ['a'], { title: ' ' }), ['no_title']],
    [
      'more than a minute of speech',
      piece('video_script', Array(8).fill('word '.repeat(20))),
      ['too_many_words'],
    ],
    ['an empty part', piece('linkedin', [' ']), ['empty_part']],
    ['nothing at all', piece('x_thread', []), ['empty_part']],
  ])('rejects %s', (_what, made, expected) => {
    expect(rules(limitFindings(made))).toEqual(expected);
  });

  it('reports figures, names, quotations and addresses that the article does not contain', () => {
    const article =
      '# The depot\n\nOn 14 March 2026 Larkfield Parcel moved 1,200 labels.[^s1] Anna Nowak said “it was a quiet week for once”.\n';
    const facts = (text: string) =>
      factFindings({ title: null, parts: [text] }, article).map(({ message }) => message);
    expect(facts('Larkfield Parcel moved 1200 labels in March: “a quiet week”.')).toEqual([]);
    expect(facts('Larkfield Parcel moved 1,300 labels.')).toEqual(['The article does not say "1,300".']);
    expect(facts('We asked Jan Kowalski.')).toHaveLength(2);
    expect(facts('She said “it was loud”.')).toHaveLength(1);
    expect(facts('See https://example.com/more.')).toHaveLength(1);
  });

  it('for any article, each piece is within the limits or empty', () => {
    fc.assert(
      fc.property(anyMarkdown, fc.constantFrom(...platforms), (article, platform) => {
        const made = composePiece(article, platform);
        if (made.parts.length > 0) expect(limitFindings(made)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('repeats no hashtag, from a model or rules, in another case, as a plural or from the text', async () => {
    const article =
      '# Light\n\nWe saw the Lighthouse. Then came the Lighthouses, and the Queue of the Board.\n';
    expect(frequentTerms(article)).toEqual(['Board', 'Lighthouse', 'Queue']);
    const parts = ['The #Keeper saw the light.'];
    const answer = {
      title: null,
      parts,
      hashtags: ['Light', '#light', 'Lights', 'L_ight', 'Líght', 'keepers', 'Stone'],
    };
    const read = repurposeArticle('The Keeper saw the light.\n', 'linkedin').read;
    expect(await read(JSON.stringify(answer))).toMatchObject({ hashtags: ['Light', 'Stone'] });
  });
});
