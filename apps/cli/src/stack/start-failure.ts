/**
 * Why a stack did not start, in one line: the first sentence and what the process said that ended, without its log
 * lines (JSON) and stack traces.
 */
export function startFailure(error: Error): string {
  const [first = '', ...output] = error.message.split('\n');
  const said = output
    .filter((line) => !/^\s+at |^\{|^Node\.js v|^\s*$/.test(line))
    .map((line) => line.trim());
  return [first, ...said].join(' ');
}
