import { tokensOf } from '#llm/tokens.js';
import { readRecording, requestsOf } from '#testing/recording.js';
import { join } from 'node:path';

const FOLDER = join(process.cwd(), 'test/fixtures/recordings');

/** Returns the calls of a recorded job: the sentence that states the task, and the tokens of request and answer. */
function callsOf(name: string) {
  const recording = readRecording(join(FOLDER, name));
  return requestsOf(recording).map((lines, at) => {
    const { answer } = recording.exchanges[at]!;
    const task = lines.findLast((line) => line.startsWith('Task: ')) ?? lines.at(-1)!;
    const answered = 'text' in answer ? (answer.text ?? '') : JSON.stringify(answer);
    return { task: task.slice(0, 60), in: tokensOf(lines.join('\n')), out: tokensOf(answered) };
  });
}

/** The tables of calls in `libs/book/README.md` and `libs/article/README.md`; `PRINT_CALLS=1` prints the tokens of each. */
it.each([
  ['chapter.json', 6, 35_000],
  ['article.json', 8, 40_000],
])('the recorded job %s takes %i calls and at most %i tokens of prompts', (name, calls, most) => {
  const made = callsOf(name);
  if (process.env['PRINT_CALLS']) console.table(made);
  expect(made).toHaveLength(calls);
  expect(made.reduce((sum, call) => sum + call.in, 0)).toBeLessThanOrEqual(most);
});
