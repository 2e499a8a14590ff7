import type { Schemas } from '#catalogue/named-schemas.js';
import { ArticleDesk } from '#testing/article-desk.js';
import { sharedStack } from '#testing/shared-stack.js';

const TEXT = '# On nets\n\nWe mended the the nets by hand.\n\nNothing is wrong.\n\nWe wrote  it down.\n';

describe('the proposals of a session', () => {
  it('X9 A7 list the changes of style rules, whose decisions can be taken back until they are applied', async () => {
    const client = await (await sharedStack()).tenant();
    const desk = new ArticleDesk(client);
    const run = await desk.start('shadow', { user_text: TEXT, rules: 'general' });
    const question = await desk.asked(run);
    const path = `/api/sessions/${run.session_id}/proposals`;
    const list = async (query = '') =>
      (await client.get(`${path}${query}`)).json as { items: Schemas['Proposal'][]; next_cursor: string };
    const all = await list();
    expect(all.items).toMatchObject([
      {
        ...{
          run_id: run.id,
          number: 1,
          origin: 'rule',
          author: 'repeated_word',
          state: 'open',
          applied: false,
        },
        before: 'We mended the the nets by hand.',
        after: 'We mended the nets by hand.',
        span: { start: TEXT.indexOf('We mended'), end: TEXT.indexOf('\n\nNothing') },
        paragraph: { start: TEXT.indexOf('We mended'), text: 'We mended the the nets by hand.' },
        evidence: [{ rule: 'repeated_word' }],
      },
      { number: 2, origin: 'rule', author: 'double_space' },
    ]);
    expect((await list(`?author=double_space&run_id=${run.id}`)).items).toEqual([all.items[1]]);
    const first = await list('?limit=1');
    expect((await list(`?limit=1&cursor=${first.next_cursor}`)).items).toEqual([all.items[1]]);

    const decide = (body: object) => client.post(`${path}/${run.id}/decisions`, body);
    expect((await decide({ state: 'rejected', author: 'repeated_word' })).json).toEqual({
      ...{ open: 1, accepted: 0, rejected: 1 },
    });
    expect((await list('?state=rejected')).items).toMatchObject([{ number: 1 }]);
    await decide({ state: 'open', numbers: [1] });
    await decide({ state: 'rejected', numbers: [1] });
    await desk.answer(question, { action: 'approve' });
    await desk.ended(run);
    expect(await desk.result(run, 'corrected')).toBe(TEXT.replace('wrote  it', 'wrote it'));
    expect((await list()).items).toMatchObject([
      { state: 'rejected', applied: false },
      { state: 'accepted', applied: true },
    ]);
    expect((await decide({ state: 'open', numbers: [2] })).json.code).toBe('decision_answered');
    // Decisions after the end would change nothing.
    expect((await decide({ state: 'accepted', numbers: [1] })).json.code).toBe('decision_answered');
    expect((await decide({ answer: 'No.', numbers: [9] })).json.code).toBe('not_found');
  });
});
