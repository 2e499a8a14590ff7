import { ToolDesk } from '#testing/tool-desk.js';

const INPUTS = {
  'incident/notes.md': '# Night of 12 March\n\nPump P2 stayed off until 04:10.\nThe valve did not close.\n',
  'incident/app.log': '03:12 ERROR connection pool exhausted\n',
};

describe('set_title', () => {
  const ask = async (args: Record<string, unknown>) => {
    const desk = new ToolDesk(INPUTS);
    const answer = await desk.call('set_title', args).catch((error: Error) => error.message);
    return { answer, title: desk.session.title };
  };

  it.each([
    [{ title: 'incident' }],
    [{ title: 'Notes and log' }],
    [{ title: 'Night of 12 March', filename: 'incident/notes.md', line: 1 }],
    [{ title: 'Connection pool exhausted', filename: 'incident/app.log', line: 1 }],
  ])('accepts %j', async (args) => {
    expect((await ask(args)).title).toBe(args.title);
  });

  it.each([
    [{ title: 'Operator negligence' }, /no source supports "operator", "negligence"/],
    [{ title: 'Night of 12 March' }, /no source supports/],
    [{ title: 'Pump P2 until 04:10', filename: 'incident/notes.md', line: 3 }, /no source supports/],
    [{ title: 'The valve', filename: 'incident/notes.md', line: 9 }, /has the lines 1 to 4/],
    [{ title: 'two\nlines' }, /title/],
  ])('refuses %j', async (args, why) => {
    const { answer, title } = await ask(args);
    expect(answer).toMatch(why);
    expect(title).toBeNull();
  });
});

describe('write_summary', () => {
  const place = async (...sentences: [text: string, from: number, to?: number][]) => {
    const desk = new ToolDesk(INPUTS, 20, true);
    await desk.call('append_to_markdown', { content: '# Notes\n' });
    const cited = sentences.map(([text, from_line, to_line = from_line]) => ({
      ...{ text, from_line, to_line, filename: 'incident/notes.md' },
    }));
    const answer = await desk
      .call('write_summary', { heading: 'Kurz gefasst', sentences: cited })
      .catch((error: Error) => error.message);
    return { answer, text: await desk.text() };
  };

  it('puts sentences that source lines support before everything else', async () => {
    const { text } = await place(['P2 stayed off until 04:10.', 3], ['The valve did not close.', 3, 4]);
    expect(text).toBe(
      '# Kurz gefasst\n\n- P2 stayed off until 04:10.\n- The valve did not close.\n\n# Notes\n',
    );
  });

  it.each([
    ['a lost negation', 'The valve did close.', 4],
    ['another number', 'Pump P2 stayed off until 05:10.', 3],
    ['another line', 'The valve did not close.', 3],
    ['a judgement', 'The operator was negligent.', 3],
    ['lines that do not exist', 'The valve did not close.', 40],
  ])('refuses %s', async (_, sentence, at) => {
    const { answer, text } = await place([sentence, at]);
    expect(answer).toMatch(/do not support/);
    expect(text).toBe('# Notes\n');
  });

  it('is written once: a second one is refused, and names the way to change the first', async () => {
    const desk = new ToolDesk(INPUTS, 20, true);
    const given = { filename: 'incident/notes.md', from_line: 4, to_line: 4 };
    const summary = (heading: string) =>
      desk.call('write_summary', { heading, sentences: [{ text: 'The valve did not close.', ...given }] });
    await summary('In short');
    await expect(summary('Kurz gefasst')).rejects.toThrow(
      'begins with the summary "In short" already: change its lines with replace_lines',
    );
    expect(await desk.text()).toBe('# In short\n\n- The valve did not close.\n\n');
  });

  it('is not offered where no summary may stand', async () => {
    await expect(new ToolDesk(INPUTS).call('write_summary')).rejects.toThrow();
  });
});
