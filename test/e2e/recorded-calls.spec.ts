import { tokensOf } from '#llm/tokens.js';
import { readRecording, requestsOf } from '#testing/recording.js';
import { sharedPrefix } from '#testing/shared-prefix.js';
import { join } from 'node:path';

const FOLDER = join(process.cwd(), 'test/fixtures/recordings');

/**
 * Returns the calls of a recorded job: the sentence that states the task, the tokens of request and answer, and of the request those
 * that the longest common beginning with an earlier one has, which a provider's cache can serve.
 */
function callsOf(name: string) {
  const recording = readRecording(join(FOLDER, name));
  const requests = requestsOf(recording).map((lines) => lines.join('\n'));
  return requestsOf(recording).map((lines, at) => {
    const { answer } = recording.exchanges[at]!;
    const task = lines.findLast((line) => line.startsWith('Task: ')) ?? lines.at(-1)!;
    const answered = 'text' in answer ? (answer.text ?? '') : JSON.stringify(answer);
    const request = requests[at]!;
    const cached = Math.max(0, ...requests.slice(0, at).map((earlier) => sharedPrefix(earlier, request)));
    return {
      task: task.slice(0, 60),
      in: tokensOf(request),
      cached: tokensOf(request.slice(0, cached)),
      out: tokensOf(answered),
    };
  });
}

/** The tables of calls in `libs/book/README.md` and `libs/article/README.md`; `PRINT_CALLS=1` prints the tokens of each. */
it.each([
  ['chapter.json', 6, 35_000, 17_000],
  ['article.json', 8, 40_000, 14_000],
])(
  'the recorded job %s takes %i calls and at most %i tokens of prompts, %i of them begin as before',
  (name, calls, most, cached) => {
    const made = callsOf(name);
    if (process.env['PRINT_CALLS']) console.table(made);
    expect(made).toHaveLength(calls);
    expect(made.reduce((sum, call) => sum + call.in, 0)).toBeLessThanOrEqual(most);
    expect(made.reduce((sum, call) => sum + call.cached, 0)).toBeGreaterThanOrEqual(cached);
  },
);
