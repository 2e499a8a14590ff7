import { initialArticle, NO_ARTICLE } from '../../apps/studio/src/pages/articles/initial-article.js';

const run = { mode: 'author', title: 'Nets', session_id: 'ses_1', progress: { details: {} } };
const files = [{ name: 'nets.md' }, { name: 'rope.md' }];

describe('A1 the form of an article after an earlier run', () => {
  it('begins with what the run was given, and names only the files that the session still has', () => {
    const inputs = {
      topic: 'Nets and ropes',
      keywords: ['knots'],
      sources: ['https://a.example/', 'nets.md'],
      research: 'web',
      words: 900,
      language: 'en',
    };
    expect(initialArticle(run, JSON.stringify(inputs), files)).toEqual({
      ...NO_ARTICLE,
      topic: 'Nets and ropes',
      keywords: ['knots'],
      words: 900,
      isWebOnly: true,
      pages: ['https://a.example/'],
      earlier: { sessionId: 'ses_1', files: ['nets.md'] },
      others: { language: 'en' },
    });
  });

  it('names no file of the session that the run did not name', () => {
    expect(initialArticle(run, '{"topic":"Nets"}', files).earlier).toBeNull();
  });

  it.each([undefined, '{"topic":"Ne'])(
    'begins with the title and the files without complete inputs: %p',
    (json) => {
      expect(initialArticle(run, json, files)).toEqual({
        ...NO_ARTICLE,
        topic: 'Nets',
        earlier: { sessionId: 'ses_1', files: ['nets.md', 'rope.md'] },
      });
    },
  );

  it('begins with the text and the rules of a review', () => {
    const inputs = JSON.stringify({ user_text: 'We mend.', rules: 'general' });
    expect(initialArticle({ ...run, mode: 'shadow' }, inputs, [])).toEqual({
      ...NO_ARTICLE,
      mode: 'shadow',
      text: 'We mend.',
      isGeneral: true,
    });
  });
});
