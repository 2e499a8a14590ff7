import { ToldProgress } from './told-progress.js';

it('P12 tells what a server says of its progress at most once a second, cut, without secrets, and never fails', async () => {
  const told: Record<string, unknown>[] = [];
  const progress = new ToldProgress((data) => {
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
