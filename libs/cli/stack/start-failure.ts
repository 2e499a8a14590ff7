/**
 * Returns in one line why a stack did not start: the first line of the error and the output of the process
 * that ended, without its JSON log lines and stack traces.
 */
export function startFailure(error: Error): string {
  const [first = '', ...output] = error.message.split('\n');
  const reasons = output
    .filter((line) => !/^\s+at |^\{|^Node\.js v|^\s*$/.test(line))
    .map((line) => line.trim());
  return [first, ...reasons].join(' ');
}
