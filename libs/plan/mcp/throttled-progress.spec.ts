import { ThrottledProgress } from './throttled-progress.js';

it('P12 reports the progress of a server at most once a second, truncated, without secrets, and never fails', async () => {
  const told: Record<string, unknown>[] = [];
  const progress = new ThrottledProgress((data) => {
    told.push(data);
    return Promise.reject(new Error('the database is away'));
  });
  const secret = `sk-${'a1B2'.repeat(10)}`;
  progress.hear({ progress: 1, total: 10, message: `Bearer ${secret} ${'x'.repeat(1_000)}` });
  for (let n = 2; n < 1_000; n++) progress.hear({ progress: n });
  await progress.end();
  expect(told).toMatchObject([{ progress: 1, total: 10 }]);
  expect(String(told[0]!['message']).length).toBeLessThan(300);
  expect(String(told[0]!['message'])).not.toContain(secret);
});

it.each([
  ['\u001b[2J\u001b]0;owned\u0007done', '[2J ]0;owned done'],
  ['read\r\nRun status: completed', 'read Run status: completed'],
  ['\u202etxt.exe\u202c and \u200bhidden', 'txt.exe  and  hidden'],
  [`${'x'.repeat(199)}😀`, `${'x'.repeat(199)}\ufffd`],
  [`${'x'.repeat(190)} sk-${'a1B2'.repeat(10)}`, `${'x'.repeat(190)} [removed]`.slice(0, 200)],
])(
  'P12 turns the progress text of a server into one line without control characters: %j',
  async (said, line) => {
    const told: Record<string, unknown>[] = [];
    const progress = new ThrottledProgress((data) => Promise.resolve(void told.push(data)));
    progress.hear({ progress: 1, message: said });
    await progress.end();
    expect(told).toMatchObject([{ message: line }]);
  },
);
